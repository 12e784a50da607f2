import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';

/** What each room may import besides itself; the longest room that a path begins with is its room. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  bin: ['src/cli'],
  'src/index.ts': ['src/cache-key', 'src/cli', 'src/contract', 'src/embed', 'src/event-log'],
  'src/embed': [
    'src/baseline',
    'src/cli',
    'src/contract',
    'src/event-log',
    'src/evidence',
    'src/runner',
    'src/witness',
    'scenarios',
    'reference-host',
  ],
  'src/cli': [
    'src/baseline',
    'src/certificate',
    'src/cache-key',
    'src/contract',
    'src/event-log',
    'src/evidence',
    'src/host',
    'src/kill-matrix',
    'src/protocol',
    'src/report',
    'src/runner',
    'src/audit',
    'src/timeline',
    'src/witness',
    'scenarios',
    'reference-host',
  ],
  'src/kill-matrix': [
    'src/contract',
    'src/evidence',
    'src/host',
    'src/protocol',
    'src/runner',
    'src/timeline',
    'src/witness',
    'scenarios',
    'reference-host',
  ],
  'src/runner': ['src/contract', 'src/host', 'src/evidence', 'src/protocol'],
  'src/baseline': ['src/contract', 'src/runner'],
  'src/certificate': ['src/contract'],
  'src/contract': ['src/protocol', 'schemas'],
  'src/protocol': [],
  'src/host': ['src/protocol', 'src/evidence'],
  'src/witness': ['src/evidence'],
  'src/evidence': [],
  'src/cache-key': [],
  'src/event-log': ['src/cache-key'],
  'src/report': ['src/contract', 'src/event-log', 'src/evidence'],
  'src/audit': ['src/event-log', 'src/evidence', 'src/host', 'src/protocol', 'src/report'],
  'src/timeline': ['src/contract', 'src/event-log', 'src/evidence', 'src/protocol', 'src/report'],
  scenarios: [
    'src/cache-key',
    'src/contract',
    'src/event-log',
    'src/evidence',
    'src/host',
    'src/protocol',
    'src/report',
    'src/runner',
    'src/witness',
    'fixtures',
  ],
  'reference-host': ['schemas', 'fixtures'],
};

/** The reference host's floors, from the ground: each imports from those below it only, and from its own. */
const FLOORS: readonly (readonly string[])[] = [
  ['json.ts', 'ids.ts', 'ask-json.ts', 'bounded-body.ts', 'package-files.ts', 'credentials.ts', 'region.ts'],
  ['store'],
  ['recipe'],
  ['types', 'policies', 'parts.ts'],
  ['ledger'],
  ['engine'],
  ['privacy'],
  ['telemetry'],
  ['governance'],
  ['http'],
  ['seams'],
  ['host.ts'],
  ['index.ts'],
  ['mutants'],
];

/** Packages that only these rooms may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  commander: ['src/cli'],
  undici: ['src/host'],
  'eventsource-parser': ['src/host'],
  ajv: ['src/contract', 'reference-host'],
  chalk: ['src/report'],
  hono: ['reference-host', 'src/audit', 'src/report', 'src/timeline'],
  '@hono/node-server': ['reference-host'],
  'fast-check': ['scenarios'],
  msw: ['src/embed'],
  vitest: ['src/embed'],
};

/** What a pure room may take from Node: no network, clock or process. Scenarios also read their fixtures' files. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  'src/baseline': [],
  'src/certificate': ['node:crypto', 'node:util'],
  'src/cache-key': ['node:crypto', 'node:util'],
  'src/event-log': ['node:crypto', 'node:buffer'],
  'src/protocol': [],
  'src/report': ['node:crypto'],
  scenarios: ['node:crypto', 'node:util', 'node:fs'],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly specifier: string;
}

const root = packageFile();
const STATEMENT =
  /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|\bgetBuiltinModule\s*(?:\?\.)?\(\s*)(?<quote>['"`])(?<specifier>[^'"`\n]+)\k<quote>/gu;

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//gu, '').replace(/^\s*\/\/.*$/gmu, '');
}

function importsOf(source: string): readonly string[] {
  return [...withoutComments(source).matchAll(STATEMENT)].map((match) => match.groups?.['specifier'] ?? '');
}

function sourceFiles(): readonly string[] {
  return ['bin', 'src', 'scenarios', 'reference-host'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .map((name) => join(top, name))
      .filter((name) => /(?<!\.test)\.tsx?$/u.test(name)),
  );
}

const files = sourceFiles();
const imports: readonly Import[] = files.flatMap((file) =>
  importsOf(readFileSync(join(root, file), 'utf8')).map((specifier) => ({ file, room: roomOf(file) ?? '', specifier })),
);
const inside = imports.filter(({ specifier }) => specifier.startsWith('.'));
const outside = imports.filter(({ specifier }) => !specifier.startsWith('.'));

function target({ file, specifier }: Import): string {
  return relative(root, join(root, dirname(file), specifier));
}

/** The suite that a scenario or a mutant stands in; empty for any other file. */
function suiteOf(path: string): string {
  return /^(?:scenarios|reference-host\/mutants)\/(?<suite>[^/]+)\//u.exec(path)?.groups?.['suite'] ?? '';
}

/** The floor of a file of the reference host, or -1. */
function floorOf(path: string): number {
  const [, top = ''] = path.split('/');
  return FLOORS.findIndex((floor) => floor.includes(top));
}

/** The files of the first circle that imports go round in; undefined where there is none. */
function circleIn(edges: readonly Import[]): readonly string[] | undefined {
  const next = new Map<string, Import[]>();
  for (const edge of edges) next.set(edge.file, [...(next.get(edge.file) ?? []), edge]);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const edge of next.get(file) ?? []) {
      const found = walk(target(edge), [...path, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of next.keys()) {
    const found = walk(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function shown({ file, specifier }: Import): string {
  return `${file} imports ${specifier}`;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('the import reader', () => {
  it('sees every form of import, and no comment', () => {
    const source = `
      import './a.ts'; import b from "./b.ts"; import type { C } from './c.ts';
      export * from './d.ts'; await import('./e.ts'); require('f'); process.getBuiltinModule?.('node:g');
      import {
        h,
      } from './h.ts';
      type I = import('./i.ts').I;
      // import './no.ts';
      /* import './no.ts'; */`;
    expect(importsOf(source)).toEqual([
      './a.ts',
      './b.ts',
      './c.ts',
      './d.ts',
      './e.ts',
      'f',
      'node:g',
      './h.ts',
      './i.ts',
    ]);
  });

  it('found the sources', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(inside.length).toBeGreaterThan(200);
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });
});

describe('the rooms', () => {
  it('import only what the table allows', () => {
    const wrong = inside.filter((each) => {
      const to = target(each);
      const room = roomOf(to) ?? to.split('/')[0] ?? '';
      return room !== each.room && ROOMS[each.room]?.includes(room) !== true;
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('keep the reference host apart from the harness', () => {
    const wrong = inside.filter((each) => each.room === 'reference-host' && target(each).startsWith('src'));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('import in no circle', () => {
    const circle = [
      { file: 'src/a.ts', room: 'src', specifier: './b.ts' },
      { file: 'src/b.ts', room: 'src', specifier: './a.ts' },
    ];
    expect(circleIn(circle)).toEqual(['src/a.ts', 'src/b.ts', 'src/a.ts']);
    expect(circleIn(inside)).toBeUndefined();
  });

  it('of suites import from no sibling: what two share stands in scenarios/shared or mutants/shared', () => {
    const wrong = inside.filter((each) => {
      const [from, to] = [suiteOf(each.file), suiteOf(target(each))];
      return from !== '' && to !== '' && to !== from && to !== 'shared';
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of the reference host import downwards', () => {
    const own = inside.filter(({ room }) => room === 'reference-host');
    expect(files.filter((file) => file.startsWith('reference-host/') && floorOf(file) === -1)).toEqual([]);
    const upwards = own.filter((each) => floorOf(target(each)) > floorOf(each.file));
    expect(upwards.map(shown)).toEqual([]);
  });

  it('have no import that could be anything', () => {
    const computed = files.filter((file) =>
      /\bimport\s*\(\s*(?!['"])/u.test(withoutComments(readFileSync(join(root, file), 'utf8'))),
    );
    expect(computed).toEqual([]);
  });

  it('import with the file’s extension', () => {
    expect(inside.filter(({ specifier }) => !/\.(?:tsx?|json)$/u.test(specifier)).map(shown)).toEqual([]);
  });

  it('keep each package in its room', () => {
    const wrong = outside.filter((each) => {
      const rooms = PACKAGES[packageName(each.specifier)];
      return rooms !== undefined && !rooms.includes(each.room);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('use only packages that are dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object | undefined>;
    const known = new Set(Object.keys({ ...manifest['dependencies'], ...manifest['peerDependencies'] }));
    const strange = outside.filter(
      ({ specifier }) => !specifier.startsWith('node:') && !known.has(packageName(specifier)),
    );
    expect(strange.map(shown)).toEqual([]);
  });

  it('that are pure reach no network and no process', () => {
    const wrong = outside.filter(
      ({ room, specifier }) => specifier.startsWith('node:') && PURE[room]?.includes(specifier) === false,
    );
    expect(wrong.map(shown)).toEqual([]);
  });
});
