/** Shows the names of types where Swagger UI shows `any` or `object`: in a choice of several, and in a list. */
export const typeNames = () => ({
  wrapComponents: {
    JSONSchema202012KeywordType:
      (KeywordType, { React: { createElement } }) =>
      (props) => {
        const names = namesIn(props.schema);
        return names === undefined
          ? createElement(KeywordType, props)
          : createElement('strong', { className: PRIMARY }, names);
      },
  },
});

const PRIMARY = 'json-schema-2020-12__attribute json-schema-2020-12__attribute--primary type-names';

function namesIn({ oneOf, anyOf, items }) {
  const choices = oneOf ?? anyOf;
  if (choices?.every(nameOf)) return `(${choices.map(nameOf).join(' | ')})`;
  if (items !== undefined && nameOf(items)) return `array<${nameOf(items)}>`;
}

/** A reference is resolved only once it is opened. */
function nameOf({ title, $ref }) {
  return title ?? $ref?.split('/').at(-1);
}
