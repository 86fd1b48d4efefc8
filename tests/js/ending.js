// Print as JSON what the page of the game says of games: `node ending.js FILE`, a file of [world, arms] pairs.
import { readFileSync } from "node:fs";
import { film, hills, ladder, standings, verdict } from "../../assets/game/ending.js";

const said = ([world, arms]) => {
  const rounds = arms.map((_, n) => film(world, arms.slice(0, n), world.boards.light)),
    order = standings(world, arms);
  return { rounds, order, verdict: verdict(order), ladder: ladder(order), hills: hills(world, arms) };
};
console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2])).map(said)));
