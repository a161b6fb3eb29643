/** A copy button for each code block, and lists of links that are open where there is room for them. */

const wide = matchMedia('(min-width: 1151px)');
const lists = document.querySelectorAll('details');
const unfold = () => {
  for (const list of lists) list.open = wide.matches;
};
unfold();
wide.addEventListener('change', unfold);
document.querySelector('.chapters [aria-current]')?.scrollIntoView({ block: 'nearest' });

// Browsers let pages write to the clipboard only over HTTPS, and on the machine itself.
if (navigator.clipboard !== undefined) {
  for (const pre of document.querySelectorAll('pre')) addButton(pre);
}

// Without a mouse, a scrollable box must be reachable by keyboard.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!(target instanceof HTMLElement)) continue;
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
for (const box of document.querySelectorAll('pre, .table')) observer.observe(box);

/** @param {HTMLPreElement} pre */
function addButton(pre) {
  const box = document.createElement('div');
  box.className = 'code';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const said = document.createElement('span');
  said.className = 'unseen';
  said.role = 'status';
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(pre.textContent).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Not copied';
    said.textContent = button.textContent;
    button.classList.add('done');
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
      button.classList.remove('done');
    }, 2000);
  });
  pre.replaceWith(box);
  box.append(pre, button, said);
}
