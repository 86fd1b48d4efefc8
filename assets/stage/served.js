// What a page of the server draws its stage with: one script for charts, player and sentence.
import { Follower } from "../player/follow.js";
import mountLive from "../player/live.js";
import { mountPlayer } from "../player/player.js";
import { mountChart } from "./chart.js";
import { addressOf, filmOf } from "./films.js";

export const mountServed = (component) => mountPlayer(component, { Follower, addressOf, filmOf });
export { mountChart, mountLive };
