/** Makes Swagger UI usable with keyboards and screen readers. The browser tests run axe-core. */
const accessibility = () => ({
  wrapComponents: {
    FilterContainer: annotate({
      input: () => ({
        'aria-label': 'Search operations',
        placeholder: 'Search paths, names and error codes',
      }),
    }),
    Servers: annotate({ select: () => ({ 'aria-label': 'Server' }) }),
    ExamplesSelect: annotate({ select: () => ({ 'aria-label': 'Example' }) }),
    JsonSchemaForm: annotate({
      'input, select, textarea': ({ description }) => ({ 'aria-label': description }),
    }),
    RequestBodyEditor: annotate({ textarea: () => ({ 'aria-label': 'Request body' }) }),
    // These scroll.
    HighlightCode: annotate({ pre: () => ({ tabindex: 0 }) }),
    curl: annotate({ pre: () => ({ tabindex: 0 }) }),
    authorizationPopup: annotate({
      '.modal-ux': () => ({ role: 'dialog', 'aria-modal': true, 'aria-label': 'Authorize' }),
      '.close-modal': () => ({ 'aria-label': 'Close' }),
    }),
    // The label, such as "Apply credentials", hides the text, such as "Authorize", which users see and say.
    Button:
      (Button, { React: { createElement } }) =>
      ({ 'aria-label': _label, ...props }) =>
        createElement(Button, props),
    // An operation's summary is a button, which must not contain a link. Opening it puts the link into the address bar.
    DeepLink:
      (_DeepLink, { React: { createElement } }) =>
      ({ text }) =>
        createElement('span', null, text),
  },
});

/** Wraps a component to set attributes, which depend on its properties, on the elements that it renders. */
function annotate(attributes) {
  return (Component, { React: { createElement, useEffect, useRef } }) =>
    function Annotated(props) {
      const root = useRef(null);
      useEffect(() => {
        for (const [selector, attributesFor] of Object.entries(attributes)) {
          for (const element of root.current.querySelectorAll(selector)) {
            for (const [name, value] of Object.entries(attributesFor(props)))
              element.setAttribute(name, value);
          }
        }
      });
      return createElement('div', { ref: root, className: 'annotated' }, createElement(Component, props));
    };
}

docsPlugins.push(accessibility);
