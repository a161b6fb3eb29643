import { targetOf } from './links.js';

const MAX_FRAMES = 60;

/** The sidebar beside Swagger UI's own layout, and links such as `#/Leads/createLead` from one to the other. */
export const layout = () => ({
  components: { PageLayout },
  statePlugins: {
    layout: {
      wrapActions: {
        // Swagger UI would follow the address before there is anything to scroll to.
        parseDeepLinkHash: () => () => undefined,
        // Unlike Swagger UI's own scrolling, this heeds `scroll-margin`: nothing ends up below the bar.
        scrollToElement: () => (element) => () => element.scrollIntoView(),
      },
    },
    spec: {
      wrapActions: {
        updateJsonSpec: (update, system) => (document) => {
          const result = update(document);
          if (window.location.hash !== '') follow(system);
          return result;
        },
      },
    },
  },
  afterLoad(system) {
    window.addEventListener('hashchange', () => follow(system));
    document.addEventListener('click', ({ target }) => {
      // The browser reports no change if the address stays the same.
      if (target.closest?.('a[href^="#/"]')?.hash === window.location.hash) follow(system);
    });
  },
});

function PageLayout({ getComponent, getSystem }) {
  const { createElement, Fragment } = getSystem().React;
  return createElement(
    Fragment,
    null,
    createElement(getComponent('Sidebar', true)),
    createElement(getComponent('BaseLayout', true)),
  );
}

/**
 * Opens what the address names, scrolls to it and focuses it. `layoutActions.show()` would add to the browser's history,
 * where the address is already.
 */
function follow({ getStore }) {
  const { opens, selector } = targetOf(window.location.hash);
  for (const thing of opens) getStore().dispatch({ type: 'layout_show', payload: { thing, shown: true } });
  focusOnce(selector, MAX_FRAMES);
}

/** Drawing may take some frames. */
function focusOnce(selector, frames) {
  requestAnimationFrame(() => {
    const target = document.querySelector(selector);
    if (target === null) {
      if (frames > 0) focusOnce(selector, frames - 1);
      return;
    }
    target.scrollIntoView();
    target.querySelector('button')?.focus({ preventScroll: true });
    document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });
  });
}
