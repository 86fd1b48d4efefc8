// Behind the script of every page of a site; a page in one file does without.
import { hearFingers } from "../player/fingers.js";

hearFingers();
