import type { YamlFiles } from './yaml-files.ts';

/**
 * Adds to v1.yaml the components that overlay.yaml refers to, from the file that has them. So the bundled document has them,
 * although no operation in openapi/ names them.
 */
export function addOverlayComponents(files: YamlFiles, overlay: string): void {
  const root = files['v1.yaml'];
  if (root === undefined) return;
  const components: Record<string, Record<string, unknown>> = { ...root.components };
  for (const [, kind = '', name = ''] of overlay.matchAll(/'#\/components\/(\w+)\/(\w+)'/g)) {
    if (name in (components[kind] ?? {})) continue;
    const [file] = Object.entries(files).find(([, { components: own }]) => name in kindOf(own, kind)) ?? [];
    if (file === undefined) throw new Error(`openapi/overlay.yaml: no file has #/components/${kind}/${name}`);
    components[kind] = { ...components[kind], [name]: { $ref: `./${file}#/components/${kind}/${name}` } };
  }
  Object.assign(root, { components });
}

function kindOf(components: YamlFiles[string]['components'], kind: string): object {
  return (components as Record<string, object> | undefined)?.[kind] ?? {};
}
