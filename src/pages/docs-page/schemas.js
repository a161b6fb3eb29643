import { addressOf, namesIn, useAddress } from './addresses.js';

const MOST_CHOICES = 4;

/** Shows schemas beside their examples, by name where they have one, and one in full width. */
export const schemas = () => ({
  components: { OAS31Models },
  wrapComponents: {
    modelExample: showBoth,
    JSONSchema202012KeywordType: nameTypes,
    JSONSchema202012KeywordEnum: listValues,
    JSONSchema202012KeywordOneOf: linkMany('oneOf'),
    JSONSchema202012KeywordAnyOf: linkMany('anyOf'),
    // The example of the whole stands beside it.
    JSONSchema202012KeywordExamples: () => () => null,
    // Everything is open. Hundreds of buttons to close it would only be in the way of the keyboard.
    JSONSchema202012Accordion:
      (_Accordion, { React: { createElement } }) =>
      ({ children }) =>
        createElement('span', null, children),
    JSONSchema202012ExpandDeepButton: () => () => null,
  },
});

/** Where Swagger UI has a tab each. */
function showBoth(_ModelExample, { React: { createElement, memo }, getComponent }) {
  // Each key typed into a request draws the operation again. Its schemas stay the same.
  const Schema = memo(getComponent('ModelWrapper'), (before, after) => before.schema.equals(after.schema));
  return (props) => {
    const { schema, example, isExecute, specPath } = props;
    // Before "Try it out", a parameter's example is in its description.
    const hasExample = isExecute || !specPath.includes('parameters');
    return createElement(
      'div',
      { className: `model-example${hasExample ? ' has-example' : ''}` },
      schema &&
        createElement(
          'div',
          { className: 'model-container' },
          createElement(Schema, { ...props, fullPath: specPath.toJS() }),
        ),
      hasExample && createElement('div', { className: 'example' }, example),
    );
  };
}

/** The names of types instead of `any` or `object`: in a choice of several, and in a list. */
function nameTypes(KeywordType, { React: { createElement } }) {
  return (props) => {
    const { oneOf, anyOf, items } = props.schema;
    const choices = oneOf ?? anyOf ?? (items && [items]);
    if (!choices?.every(nameOf)) return createElement(KeywordType, props);
    const links = choices.flatMap((choice, index) => {
      const name = nameOf(choice);
      return [index > 0 && ' | ', createElement('a', { key: name, href: addressOf('schemas', name) }, name)];
    });
    return createElement('strong', { className: PRIMARY }, items && 'list of ', links);
  };
}

const PRIMARY = 'json-schema-2020-12__attribute json-schema-2020-12__attribute--primary type-names';

/** A reference is resolved only once it is opened. */
function nameOf({ title, $ref }) {
  return title ?? $ref?.split('/').at(-1);
}

/** All 27 kinds of events, one below the other, would hide the rest. Their names are links. */
function linkMany(keyword) {
  return (Keyword, { React: { createElement } }) =>
    (props) =>
      props.schema[keyword]?.length > MOST_CHOICES ? null : createElement(Keyword, props);
}

function listValues(_Enum, { React: { createElement } }) {
  return ({ schema }) => {
    const values = schema.enum?.flatMap((value, index) => [
      index > 0 && ', ',
      createElement('code', { key: String(value) }, String(value)),
    ]);
    return values ? createElement('p', { className: 'allowed-values' }, 'One of ', values) : null;
  };
}

/** The schema that the address names, in full width. The sidebar lists them all. */
function OAS31Models({ getComponent, getSystem, specActions, specSelectors }) {
  const { React } = getSystem();
  const { createElement, useEffect } = React;
  const [group, name] = namesIn(useAddress(React));
  const path = group === 'schemas' && name && ['components', 'schemas', name];
  useEffect(() => {
    if (path) specActions.requestResolvedSubtree(path);
  }, [group, name]);
  if (!path) return null;
  const schema = specSelectors.specResolvedSubtree(path);
  return createElement(
    'section',
    { id: `schema-${name}`, className: 'one-schema', 'aria-label': `Schema ${name}` },
    schema && createElement(getComponent('JSONSchema202012'), { schema: schema.toJS(), name }),
  );
}
