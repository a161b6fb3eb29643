import { exampleRequest } from './example-request.js';
import { languages } from './snippet-languages.js';

/** Shows each request in several languages: with the values of its example until it is executed, then as it was sent. */
export const snippets = () => ({
  statePlugins: {
    snippets: {
      actions: { chooseLanguage: (payload) => ({ type: 'snippets_choose_language', payload }) },
      reducers: { snippets_choose_language: (state, { payload }) => state.set('language', payload) },
      selectors: { language: (state) => state.get('language', 'curl') },
    },
  },
  components: { RequestSnippets },
  wrapComponents: { responses: showExampleRequest },
});

function RequestSnippets({ getComponent, getSystem, request, snippetsActions, snippetsSelectors }) {
  const { createElement } = getSystem().React;
  const chosen = snippetsSelectors.language();
  const { generate, syntax } = languages[chosen];
  const buttons = Object.entries(languages).map(([language, { title }]) =>
    createElement(
      'button',
      {
        key: language,
        'aria-pressed': language === chosen,
        onClick: () => snippetsActions.chooseLanguage(language),
      },
      title,
    ),
  );
  return createElement(
    'section',
    { className: 'request-snippets', 'aria-label': 'Code of this request' },
    createElement('div', { className: 'snippet-languages' }, buttons),
    createElement(
      getComponent('HighlightCode', true),
      { language: syntax, className: 'curl', canCopy: true },
      generate(toPlainRequest(request)),
    ),
  );
}

/** Swagger UI keeps requests as immutable maps. The body is a string or the fields of a form. */
function toPlainRequest(request) {
  const { method, url, headers = {}, body } = request.toJS?.() ?? request;
  const isText = typeof body === 'string' || body === undefined;
  return { method, url, headers, body: isText ? body || undefined : `${new URLSearchParams(body)}` };
}

function showExampleRequest(Responses, system) {
  const { createElement, Fragment } = system.React;
  return (props) => {
    const [kind] = props.specPath;
    if (kind !== 'paths' || props.tryItOutResponse) return createElement(Responses, props);
    return createElement(
      Fragment,
      null,
      createElement(
        'details',
        { className: 'fold example-request' },
        createElement('summary', null, 'Code of an example request'),
        createElement(system.getComponent('RequestSnippets', true), {
          request: exampleRequest(props, system),
        }),
      ),
      createElement(Responses, props),
    );
  };
}
