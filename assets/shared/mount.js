import { lab } from "./lab.js";

// A component of Streamlit's in its element: made at its first run, told what each run says, ended once it is taken down.
// The one that was told something last has the `name` in what scripts share: Streamlit puts a new one up before it takes
// the old one down.
export function mount(root, name, Made, ...said) {
  root.made ??= new Made(root);
  if (name) lab[name] = root.made;
  root.made.load(...said);
  return () => {
    root.made?.end();
    if (name && lab[name] === root.made) lab[name] = null;
    root.made = null;
  };
}
