/**
 * Reads `{workflow, log}` from START, and prints as JSON what is wrong with the workflow by n8n's own descriptions of its
 * nodes, and what it does with the log: an answer of GET /events.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// Its ES module names files without their extension, so Node can't load it.
const { NodeHelpers, Workflow } = createRequire(import.meta.url)('n8n-workflow');

const { workflow, log } = JSON.parse(process.env.START);
const descriptions = JSON.parse(readFileSync('package/dist/types/nodes.json', 'utf8'));

const describe = ({ type, typeVersion }) =>
  descriptions.find(
    ({ name, version }) => type === `n8n-nodes-base.${name}` && [version].flat().includes(typeVersion),
  );

function issuesOf(node) {
  const description = describe(node);
  if (description === undefined) return [`${node.name}: no such node or version`];
  const { properties } = description;
  const read = (defaults) =>
    NodeHelpers.getNodeParameters(properties, node.parameters, defaults, false, node, description);
  const issues = NodeHelpers.getNodeParametersIssues(
    properties,
    { ...node, parameters: read(true) },
    description,
  );
  const found = Object.values(issues?.parameters ?? {}).flat();
  // n8n drops parameters that it doesn't know, and those that are the default.
  const isKnown = JSON.stringify(read(false)) === JSON.stringify(node.parameters);
  return [...found, ...(isKnown ? [] : ['a parameter is unknown, or the default'])].map(
    (issue) => `${node.name}: ${issue}`,
  );
}

const names = workflow.nodes.map(({ name }) => name);
const ends = Object.entries(workflow.connections).flatMap(([from, { main }]) => [
  from,
  ...main.flat().map(({ node }) => node),
]);
const missing = ends.filter((name) => !names.includes(name)).map((name) => `${name}: no such node`);

const node = (wanted) => workflow.nodes.find(({ name }) => name === wanted);
const saved = {};

function runCode(name, json) {
  const code = new Function('$getWorkflowStaticData', '$input', node(name).parameters.jsCode);
  return code(() => saved, { first: () => ({ json }) });
}

function messages() {
  const nodeTypes = {
    getByNameAndVersion: (type, typeVersion) => ({ description: describe({ type, typeVersion }) }),
  };
  const { expression } = new Workflow({ ...workflow, active: false, nodeTypes });
  const [{ value }] = node('Post to the chat').parameters.bodyParameters.parameters;
  return log.data.map((json) =>
    expression.getParameterValue(value, null, 0, 0, 'Post to the chat', [{ json }], 'internal', {}),
  );
}

/** One run of the workflow, which gets this log. */
function follow() {
  const [{ json: first }] = runCode('Read cursor');
  runCode('Save cursor', log);
  const [{ json: next }] = runCode('Read cursor');
  return { cursors: [first.cursor, next.cursor], messages: messages() };
}

const issues = [...workflow.nodes.flatMap(issuesOf), ...missing];
console.log(JSON.stringify({ issues, ...(log && follow()) }));
