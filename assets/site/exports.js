// The buttons of the Export drawer: a script of its own, which a page loads once the drawer is opened.
import mountExport from "../export/export.js";
import { lab } from "../shared/lab.js";

lab.site.mountExport = mountExport;
