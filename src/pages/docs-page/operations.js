/**
 * Draws all operations. Swagger UI itself draws only those in view if there are more than some 130. Then the browser
 * finds and prints no others, and an operation forgets what somebody typed into it when it leaves the view.
 */
export const operations = () => ({ wrapComponents: { operations: drawAll } });

function drawAll(_Operations, { React: { createElement } }) {
  return (props) => {
    const { getComponent, specSelectors, oas3Selectors, layoutSelectors, layoutActions, getConfigs } = props;
    const Tag = getComponent('OperationTag');
    const Operation = getComponent('OperationContainer', true);
    const drawOperation = (tag) => (op) => {
      const [path, method, specPath] = ['path', 'method', 'specPath'].map((name) => op.get(name));
      return createElement(Operation, { key: `${path}-${method}`, tag, op, path, method, specPath });
    };
    const drawTag = (tagObj, tag) =>
      createElement(
        Tag,
        {
          key: tag,
          tag,
          tagObj,
          getComponent,
          oas3Selectors,
          layoutSelectors,
          layoutActions,
          getConfigs,
          specUrl: specSelectors.url(),
        },
        createElement(
          'div',
          { className: 'operation-tag-content' },
          tagObj.get('operations').map(drawOperation(tag)).toArray(),
        ),
      );
    return createElement('div', null, specSelectors.taggedOperations().map(drawTag).valueSeq().toArray());
  };
}
