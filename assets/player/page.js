// What the player reads of the page around it: Streamlit gives an element with a key the class st-key-KEY. Each answer
// may be missing; then a key does nothing. A hall's game is opened and revealed as a bet is.
export const PAGE = {
  bet: () => document.querySelector(".st-key-bet_open button, .st-key-game_open button"),
  answer: () => document.querySelector(".st-key-bet_pick button"),
  reveal: () => document.querySelector(".st-key-bet_reveal button, .st-key-game_reveal button"),
  game: () => document.querySelector(".st-key-game_reveal button"), // of a hall
  guess: () => document.querySelector(".st-key-guess_none button"),
  after: () => document.querySelector(".st-key-course_after a"),
  before: () => document.querySelector(".st-key-course_before a"),
  link: () => document.querySelector(".st-key-drawer_link summary"),
};
// Class of a page whose film has come to where the answer of its bet happens.
export const TOLD = "tvbo-told";
