// Approve what the stage draws now: `npm run approve`.
import { approve } from "./baseline.js";
import { everything } from "./drawn.js";

const texts = await everything();
approve(texts);
console.log(`${texts.size} files are approved: read their difference before you commit it.`);
process.exit(); // charts still wait for Plotly
