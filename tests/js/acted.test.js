// What the pages do, act by act, is what was approved.
import { test } from "node:test";
import { sameAsApproved } from "./baseline.js";
import { everything } from "./reader.js";

test("pages act as they were approved", async () => sameAsApproved("acted", await everything()));
