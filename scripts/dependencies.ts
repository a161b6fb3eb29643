/** The packages that run in production, from package-lock.json. */
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

interface LockedPackage {
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface Dependency {
  name: string;
  version: string;
  /** SPDX expression. */
  licence: string;
  integrity: string | undefined;
  /** The dependencies in package.json that require it; itself, if it is one of them. */
  neededBy: string[];
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(new URL('package-lock.json', root), 'utf8'),
);

export function productionDependencies(): Dependency[] {
  const neededBy = directDependencies().map((name) => [name, reachableFrom(name)] as const);
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version, license, integrity }]) => ({
      name: nameOf(path),
      version,
      licence: license ?? installedLicence(path),
      integrity,
      neededBy: neededBy.filter(([, reached]) => reached.has(path)).map(([name]) => name),
    }))
    .sort((a, b) => compare(a.name, b.name) || compareVersions(a.version, b.version));
}

export function directDependencies(): string[] {
  const { dependencies = {}, optionalDependencies = {} } = lock.packages[''] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** Negative if version `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => version.split(/[.-]/, 3).map(Number);
  const [one, other] = [parts(a), parts(b)];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function reachableFrom(name: string): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string, dependency: string) => {
    const path = resolve(from, dependency);
    if (path === undefined || reached.has(path)) return;
    reached.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path] as LockedPackage;
    const next = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(next)) visit(path, name);
  };
  visit('', name);
  return reached;
}

/** The path where Node finds a package's dependency: nested in the package, or in one of those around it. */
function resolve(from: string, dependency: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${dependency}`;
    if (path in lock.packages) return path;
    if (folder === '') return undefined;
  }
}

/** Licences of packages whose old package.json format npm doesn't copy into the lock file. */
function installedLicence(path: string): string {
  const file = new URL(`${path}/package.json`, root);
  const { license, licenses = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return license ?? licenses.map(({ type }: { type: string }) => type).join(' OR ');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
