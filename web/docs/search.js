/** The filter above the operations finds paths, summaries, operation ids and error codes, each word anywhere in them. */
const search = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/);
      const matches = (found) => {
        const { path, method, operation } = found.toJS();
        const { summary, operationId, tags: names, 'x-error-codes': codes = [] } = operation;
        const text = [method, path, summary, operationId, ...names, ...codes].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return tags
        .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
  wrapComponents: { operations: drawTags },
});

/** Each tag by itself: of more than 150 lines, Swagger UI draws only those in view, and neither Ctrl-F nor a link finds others. */
function drawTags(Operations, { React: { createElement }, fn, layoutSelectors }) {
  return ({ specSelectors, ...props }) => {
    const phrase = layoutSelectors.currentFilter();
    const all = specSelectors.taggedOperations();
    const tags = typeof phrase === 'string' && phrase !== '' ? fn.opsFilter(all, phrase) : all;
    const drawTag = (_operations, tag) => {
      const only = { ...specSelectors, taggedOperations: () => all.filter((_, name) => name === tag) };
      return createElement(Operations, { ...props, key: tag, specSelectors: only });
    };
    return tags.map(drawTag).valueSeq().toArray();
  };
}

docsPlugins.push(search);
