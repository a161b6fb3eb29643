/** Shows an error as one line and the headers of a response as their number, until they are opened. */
export const folding = () => ({ wrapComponents: { response: foldError, headers: foldHeaders } });

function foldError(Response, { React: { createElement, Fragment, useState } }) {
  return function FoldedError(props) {
    const [isOpen, setIsOpen] = useState(false);
    if (!(Number(props.code) >= 400)) return createElement(Response, props);
    const button = createElement(
      'button',
      { className: 'fold', 'aria-expanded': isOpen, onClick: () => setIsOpen(!isOpen) },
      props.response.get('description').replaceAll('`', '').trim(),
    );
    return createElement(
      Fragment,
      null,
      createElement(
        'tr',
        { className: `response folded ${props.className ?? ''}` },
        createElement('td', { className: 'response-col_status' }, props.code),
        createElement('td', { className: 'response-col_description' }, button),
      ),
      isOpen && createElement(Response, { ...props, className: `unfolded ${props.className ?? ''}` }),
    );
  };
}

function foldHeaders(Headers, { React: { createElement } }) {
  return (props) => {
    const count = props.headers.size;
    return createElement(
      'details',
      null,
      createElement('summary', null, count === 1 ? '1 header' : `${count} headers`),
      createElement(Headers, props),
    );
  };
}
