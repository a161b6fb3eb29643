import { exampleRequest } from './example-request.js';
import { toJavaScript, toPython } from './snippet-languages.js';

/** Shows each request in several languages: with the values of its example until it is executed, then as it was sent. */
export const snippets = () => ({
  fn: {
    requestSnippetGenerator_javascript: (request) => toJavaScript(toPlainRequest(request)),
    requestSnippetGenerator_python: (request) => toPython(toPlainRequest(request)),
  },
  components: { RequestSnippets },
  wrapComponents: { responses: showExampleRequest },
});

/** Unlike Swagger UI's own, it can be used by keyboard, and all operations show the chosen language. */
function RequestSnippets({
  configsActions,
  configsSelectors,
  getComponent,
  getSystem,
  request,
  requestSnippetsSelectors,
}) {
  const { createElement } = getSystem().React;
  const generators = requestSnippetsSelectors.getSnippetGenerators();
  const chosen = configsSelectors.get('snippetLanguage') ?? 'curl_bash';
  const { fn, syntax } = generators.get(chosen).toObject();
  const buttons = generators.entrySeq().map(([language, generator]) =>
    createElement(
      'button',
      {
        key: language,
        'aria-pressed': language === chosen,
        onClick: () => configsActions.update('snippetLanguage', language),
      },
      generator.get('title'),
    ),
  );
  return createElement(
    'section',
    { className: 'request-snippets', 'aria-label': 'Code of this request' },
    createElement('div', { className: 'snippet-languages' }, buttons),
    createElement(
      getComponent('HighlightCode', true),
      { language: syntax, className: 'curl', canCopy: true },
      fn(request),
    ),
  );
}

/** A file stands for its contents. */
function toPlainRequest(request) {
  const { method, url, headers = {}, body } = request.toJS();
  const text = body instanceof File ? `contents of ${body.name}` : body;
  return { method, url, headers, body: text || undefined };
}

function showExampleRequest(Responses, system) {
  const { Im, React, getComponent, specSelectors } = system;
  const { createElement, Fragment } = React;
  return (props) => {
    const { path, method, tryItOutResponse } = props;
    const operation = specSelectors.specResolvedSubtree(['paths', path, method]);
    if (!operation || tryItOutResponse) return createElement(Responses, props);
    return createElement(
      Fragment,
      null,
      createElement(
        'details',
        { className: 'example-request' },
        createElement('summary', null, 'Code of an example request'),
        createElement(getComponent('RequestSnippets', true), {
          request: Im.fromJS(exampleRequest(operation.delete('responses').toJS(), system, props)),
        }),
      ),
      createElement(Responses, props),
    );
  };
}
