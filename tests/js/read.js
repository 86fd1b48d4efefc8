// Print as JSON the arrays that the browser reads from the message of the chase: `node read.js FILE`.
import { readFileSync } from "node:fs";
import { read } from "../../assets/chase/chase.js";

const data = read(new Uint8Array(readFileSync(process.argv[2])));
const arrays = data.curves.map(([name, learner]) => (learner < 0 ? data : data.learners[learner])[name]);
console.log(JSON.stringify(arrays.map((rows) => rows.map((row) => Array.from(row)))));
