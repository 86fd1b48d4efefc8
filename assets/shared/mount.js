// A component of Streamlit's in its element: made at its first run, told what each run says, ended once it is taken down.
export function mount(root, Made, ...said) {
  root.made ??= new Made(root);
  root.made.load(...said);
  return () => {
    root.made?.end();
    root.made = null;
  };
}
