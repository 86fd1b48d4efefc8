// What the player reads of the page around it: Streamlit gives an element with a key the class st-key-KEY. Each answer
// may be missing; then a key does nothing.
export const PAGE = {
  bet: () => document.querySelector(".st-key-bet_open button"),
  answer: () => document.querySelector(".st-key-bet_pick button"),
  link: () => document.querySelector(".st-key-drawer_link summary"),
};
