import { namesIn } from './addresses.js';

/** The sidebar beside Swagger UI's own layout. Links such as `#/Leads/createLead` lead from one to the other. */
export const layout = () => ({
  components: { PageLayout },
  wrapComponents: { operations: drawTags },
  statePlugins: {
    layout: {
      // Swagger UI's own would add to the browser's history, where the address is already.
      wrapActions: { parseDeepLinkHash: (_original, system) => () => follow(system.getStore()) },
    },
  },
  afterLoad({ layoutActions }) {
    window.addEventListener('hashchange', () => layoutActions.parseDeepLinkHash());
    document.addEventListener('click', ({ target }) => {
      // The browser reports no change if the address stays the same.
      if (target.closest?.('a[href^="#/"]')?.hash === window.location.hash) layoutActions.parseDeepLinkHash();
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

/** Each tag by itself: of more than 150 lines, Swagger UI draws only those in view, and a link would find no others. */
function drawTags(Operations, { React: { createElement } }) {
  return ({ specSelectors, ...props }) => {
    const tags = specSelectors.taggedOperations();
    const drawTag = (_operations, tag) => {
      const only = { ...specSelectors, taggedOperations: () => tags.filter((_, name) => name === tag) };
      return createElement(Operations, { ...props, key: tag, specSelectors: only });
    };
    return tags.map(drawTag).valueSeq().toArray();
  };
}

/** Opens what the address names, scrolls to it and focuses it. */
function follow({ dispatch }) {
  const [group, name] = namesIn(window.location.hash);
  for (const thing of [
    ['operations-tag', group],
    ['operations', group, name],
  ]) {
    dispatch({ type: 'layout_show', payload: { thing, shown: true } });
  }
  if (name) document.getElementById('sidebar')?.hidePopover();
  const selector = name ? `[id$="-${CSS.escape(name)}"]` : `[data-tag="${CSS.escape(group)}"]`;
  // By then, it is drawn.
  requestAnimationFrame(() => {
    const target = document.querySelector(selector);
    target?.scrollIntoView();
    target?.querySelector('button')?.focus({ preventScroll: true });
  });
}
