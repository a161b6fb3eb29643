/** `#/Leads/createLead`: an operation, `#/Leads`: its tag, `#/schemas/Lead`: a schema. */
export function linkTo(...names) {
  return `#/${names.map(encodeURIComponent).join('/')}`;
}

/** What has to be opened so that the link's target is drawn, and where it is then. */
export function targetOf(fragment) {
  const [group, name] = fragment.slice('#/'.length).split('/').map(decodeURIComponent);
  if (group === 'schemas') {
    const schemas = ['components', 'schemas'];
    return name
      ? { opens: [schemas, [...schemas, name]], selector: `#schema-${CSS.escape(name)}` }
      : { opens: [schemas], selector: '.models' };
  }
  const tag = ['operations-tag', group];
  return name
    ? { opens: [tag, ['operations', group, name]], selector: `.opblock[id$="-${CSS.escape(name)}"]` }
    : { opens: [tag], selector: group === 'webhooks' ? '.webhooks' : `[data-tag="${CSS.escape(group)}"]` };
}
