// `npm run build`: makes dist/ (what ships: one bundle, split by command) and build/ (the same sources as single modules, for the bench
// and the tests that load parts of the built program). Both are made beside and renamed, so that an interrupted build leaves the old ones,
// and two at once leave one whole.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { isolatedDeclarationSync, minifySync } from 'rolldown/experimental';

const LIBRARY = 'src/index.ts';
const ADAPTERS = { vitest: 'src/embed/vitest.ts', msw: 'src/embed/msw.ts' };
const STARTER = 'bin/openwop-conformance.ts';
const BIN = 'bin/openwop-conformance.cjs';

/** The names that are files' names: other modules start them by path. */
const ENTRIES = {
  main: 'src/cli/main.ts',
  lane: 'src/kill-matrix/lane.ts',
  'audit-lane': 'src/audit/lane.ts',
  index: LIBRARY,
  ...ADAPTERS,
};

/** What ships is a third smaller so; functions and classes keep their names, so that a stack says where it comes from. */
const SMALL = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true },
  codegen: { removeWhitespace: true },
};

/** Functions that need no names, which are a ninth of their size: no stack that is of use begins in the bundled host, a mutant, a page or a report, and a judge that throws is named by its check. */
const NAMELESS = {
  name: 'nameless',
  renderChunk: (code, { name, fileName }) =>
    [MUTANTS, SCENARIOS, PAGES, NAMED, MATRIX, ENGINE, HOST, REPORTS, RECORDS].some((group) => group.name === name)
      ? minifySync(fileName, code, { module: true, sourcemap: true })
      : null,
};

const NAMES = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };

/** What every command begins with is one file, so that `--help` loads two. */
const START = { name: 'start', test: /\/src\/cli\/main\.ts$/u };

/** Small modules that several commands share are one file: a tarball is to hold few. What they import goes with them, so it is small, too. */
const SHARED = {
  name: 'shared',
  test: /\/(?:reference-host\/(?:json|ids|store\/event|recipe\/cache-key|engine\/order|types\/answers)|src\/(?:contract\/(?:definitions|listed|present|type-map|validate)|evidence\/(?:curl|garbage)|cli\/(?:files|interruption|target)|kill-matrix\/bare-rule|runner\/select))\.ts$/u,
};

/** The pure rooms with the commands that need no more, and what the audit's threads do: loaded without the rest. */
const PURE = {
  name: 'pure',
  test: /\/src\/(?:cache-key\/|event-log\/|audit\/(?:head|in-order|judge-logs|line|pairs|recorded)\.ts$|cli\/(?:diff-page|lines-of|commands\/(?:cache-key|diff))\.ts$)/u,
};

/** What knows everything by its name, mutants included. */
const NAMED = {
  name: 'explain',
  test: /\/src\/(?:contract\/statements\/|cli\/(?:names|completion\/[^/]+|commands\/(?:completion|explain))\.ts$)/u,
};

/** The scenarios, `list`, and what tables and judges alike read of them. */
const SCENARIOS = {
  name: 'scenarios',
  test: /\/(?:scenarios\/|src\/(?:witness\/|runner\/scenario\.ts$|report\/index\.ts$|cli\/(?:all-diagnoses|tables|commands\/list)\.ts$))/u,
};
/** How the bundled host runs workflows, which its mutants do otherwise: `serve` needs it without them. */
const ENGINE = { name: 'engine', test: /\/reference-host\/(?:engine|ledger|types)\// };
const MUTANTS = { name: 'defects', test: /\/reference-host\/mutants\//u };

/** The formats of reports that are text; a page for browsers is a file of its own. */
const REPORTS = { name: 'reports', test: /\/src\/report\/[^/]+(?<!escape|index|html)\.ts$/u };

/** Pages for browsers. */
const PAGES = { name: 'pages', test: /\/src\/(?:report\/(?:html|view)|timeline)\// };

const AUDIT = {
  name: 'audit',
  test: /\/src\/(?:audit\/(?:choose|threads)|cli\/(?:audit-(?:list|output|resume)|commands\/audit))\.ts$/u,
};

/** What judges, what drives hosts, the bundled host, and what meets it with its mutants. */
const HOST = { name: 'reference-host', test: /\/(?:reference-host\/|src\/cli\/commands\/serve\.ts$)/u };
const JUDGE = {
  name: 'judge',
  test: /\/src\/(?:runner\/(?:judge|needs|plan)|cli\/(?:judge-recorded|commands\/judge))\.ts$/u,
};
const SESSION = {
  name: 'session',
  test: /\/src\/(?:host\/|runner\/|cli\/(?:session|commands\/(?:run|plan))\.ts$|embed\/run-conformance\.ts$)/u,
};
/** What makes something of other runs (gates, certificates, comparisons, audits, many hosts), and small commands that need scenarios. */
const RECORDS = {
  name: 'records',
  test: /\/src\/(?:audit\/(?:live\.ts|page\.tsx)$|cli\/audit-live\.ts$|report\/(?:compare|matrix)\/|cli\/targets\/|cli\/commands\/(?:baseline|certify|compare|fixtures|merge|open|replay-check)\.ts$)/u,
};
/** What runs the bundled host and meets it. */
const SELF_TEST = {
  name: 'self-test',
  test: /\/src\/(?:kill-matrix\/(?:bundled-hosts|witnessed-hosts|temporary-directory)|cli\/commands\/self-test)\.ts$/u,
};
const MATRIX = { name: 'matrix', test: /\/src\/(?:kill-matrix\/(?!lane\.ts)|cli\/commands\/mutants\.ts$)/u };

/** In this order: what one has taken is in no later one. */
const GROUPS = [
  START,
  SHARED,
  PURE,
  SCENARIOS,
  ENGINE,
  MUTANTS,
  NAMED,
  REPORTS,
  PAGES,
  HOST,
  JUDGE,
  SESSION,
  SELF_TEST,
  RECORDS,
  AUDIT,
  MATRIX,
];

/**
 * Every run validates by these, and whoever reads evidence: what ajv makes of them ships, since loading ajv and compiling them takes a sixth of
 * a run's start, and a quarter of what judging a short one takes.
 */
const PREPARED = ['discovery', 'evidence', 'observations', 'wire'];

/** What the bench and the power loss tests load. */
const MODULES = [
  'reference-host/index.ts',
  'reference-host/store/database.ts',
  'reference-host/store/data-file.ts',
  'reference-host/store/event-log.ts',
  'reference-host/store/of-tenants.ts',
  'reference-host/store/runs.ts',
  'reference-host/store/sqlite-tables.ts',
  'reference-host/store/store.ts',
  'reference-host/store/wakers.ts',
  'scenarios/index.ts',
  'src/evidence/recorder.ts',
  'src/evidence/redact.ts',
  'src/kill-matrix/bare-host.ts',
  'src/runner/judge.ts',
  'src/runner/run.ts',
  'src/witness/index.ts',
];

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const PACKAGES = new Set(Object.keys({ ...dependencies, ...peerDependencies }));

/** Dependencies stay what package.json says that they are: none is bundled, and nothing else is imported. */
function external(id) {
  if (/^[./]/u.test(id)) return false;
  const name = /^(?:@[^/]+\/)?[^/]+/u.exec(id)?.[0];
  if (!isBuiltin(id) && !PACKAGES.has(name)) throw new Error(`${id} is imported and no dependency`);
  return true;
}

async function bundle(input, output) {
  const build = await rolldown({ platform: 'node', external, logLevel: 'warn', ...input });
  await build.write({ sourcemap: true, comments: false, ...output });
  await build.close();
}

/** The starter is a program of its own, which starts the bundle. */
async function bundleStarter(dir) {
  const input = { input: STARTER, plugins: [{ name: 'starter', resolveId }], transform: { target: 'es2017' } };
  const file = `${dir}/${BIN}`;
  await bundle(input, { file, format: 'cjs', sourcemap: false });
  await chmod(file, 0o755);
}

function resolveId(id) {
  return id === '../src/cli/main.ts' ? { id: '../main.js', external: true } : null;
}

/** The types of the library and its adapters, a file each; the modules that these are made of are one beside them. Nothing else is public. */
async function declareTypes(dir) {
  const entries = [LIBRARY, ...Object.values(ADAPTERS)];
  const files = new Set(entries);
  const shared = [];
  await mkdir(dir, { recursive: true });
  for (const file of files) {
    const { code, errors } = isolatedDeclarationSync(file, await readFile(file, 'utf8'));
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    for (const [, name] of code.matchAll(/from "(\.[^"]+)"/gu)) files.add(join(dirname(file), name));
    if (entries.includes(file)) {
      const target = join(dir, basename(file).replace(/\.ts$/u, '.d.ts'));
      await writeFile(target, code.replaceAll(/(?<=from ")\.[^"]+(?=")/gu, './shared.js'));
    } else shared.push(code.replaceAll(/^(?:import .* from "\.[^"]+"|export \{\});\n/gmu, ''));
  }
  await writeFile(`${dir}/shared.d.ts`, oncePerName(shared.join('')));
}

/** Modules that are one may not call two things by one name. */
function oncePerName(code) {
  const names = [...code.matchAll(/^(?:export )?(?:declare )?(?:interface|type|function|const) (\w+)/gmu)];
  const twice = names.map(([, name]) => name).find((name, index, all) => all.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two modules of the public types have a ${twice}`);
  return code;
}

/** Stands for each format, of which a validator has the name alone: what ships has the functions. */
const isMet = () => true;

/** A validator for each name that `src/contract/validate.ts` may ask for, of its options. They stop at the first violation. */
async function prepareValidators(file) {
  const load = createRequire(import.meta.url);
  // No schema asks what others have evaluated, which a validator of the newest draft keeps track of.
  const { Ajv } = load('ajv/dist/ajv.js');
  const { Name } = load('ajv/dist/compile/codegen/index.js');
  const ajv = new Ajv({
    strict: true,
    validateSchema: false,
    meta: false,
    allowUnionTypes: true,
    discriminator: true,
    inlineRefs: false,
    // What is said of a violation comes from schemas that are compiled then.
    messages: false,
    code: { source: true, formats: new Name('FORMATS') },
    formats: { date: isMet, 'date-time': isMet },
  });
  const names = {};
  for (const name of PREPARED) {
    const schema = JSON.parse(await readFile(`schemas/${name}.schema.json`, 'utf8'));
    ajv.addSchema(schema);
    if (schema.type !== undefined) names[name] = schema.$id;
    for (const [definition, { discriminator }] of Object.entries(schema.$defs)) {
      // Of observations, those of a suite are asked for.
      if (name === 'observations' && discriminator === undefined) continue;
      names[`${name}#${definition}`] = `${schema.$id}#/$defs/${definition}`;
    }
  }
  const { code } = minifySync(file, `${await formats()}\n${load('ajv/dist/standalone').default(ajv, names)}`);
  // Where a value is wrong is told by these, and what is wrong there by others: rules, their places in a schema and what they want are a fifth of the file.
  const told = [
    /schemaPath:`[^`$]*(?:\$(?!\{)[^`$]*)*`,/gu,
    /keyword:`[^`$]*`,/gu,
    /,params:\{(?!missingProperty:|error:)[^{}]*\}/gu,
  ];
  // Nothing asks for where a value stands in another.
  const handed = /,parentData:[^,{}]*,parentDataProperty:[^,{}]*,rootData:[^,{}]*(?=\})/gu;
  const brief = [...told, handed].reduce((text, each) => text.replaceAll(each, ''), code);
  // Schemas that nothing names any more go, too.
  await writeFile(file, minifySync(file, brief, { module: true }).code);
}

/** The formats that validators ask for, by their names in schemas. */
async function formats() {
  const built = await rolldown({ input: 'src/contract/formats.ts' });
  const { output } = await built.generate({ format: 'iife', name: 'formats', minify: SMALL });
  await built.close();
  return `${output[0].code}\nconst FORMATS = { date: formats.isDate, 'date-time': formats.isDateTime };`;
}

/** The page that the starter prints for `--help` alone. Asked twice for help, it starts the program. */
async function writeHelp(dir) {
  const { stdout } = await promisify(execFile)(process.execPath, [`${dir}/${BIN}`, '--help', '--help']);
  await writeFile(`${dir}/help.txt`, stdout);
}

/** Makes a folder beside its place and puts it there. */
async function replace(folder, make) {
  const [fresh, old] = ['new', 'old'].map((age) => `${folder}.${age}-${process.pid}`);
  try {
    await make(fresh);
    await put(fresh, folder, old);
  } finally {
    await Promise.all([fresh, old].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/** Where another build puts its own first, that one is replaced in turn. */
async function put(fresh, folder, old) {
  for (;;) {
    await rm(old, { recursive: true, force: true });
    await rename(folder, old).catch(ignore('ENOENT'));
    try {
      return await rename(fresh, folder);
    } catch (error) {
      ignore('ENOTEMPTY', 'EEXIST', 'EPERM')(error);
    }
  }
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}

/** What builds that were killed have left. */
async function sweep() {
  for (const name of await readdir('.')) {
    const pid = /^(?:dist|build)\.(?:new|old)-(?<pid>\d+)$/u.exec(name)?.groups?.pid;
    if (pid !== undefined && !isAlive(Number(pid))) await rm(name, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

await sweep();
await Promise.all([
  replace('dist', (dir) =>
    Promise.all([
      bundle(
        { input: ENTRIES, plugins: [NAMELESS] },
        {
          dir,
          format: 'esm',
          ...NAMES,
          codeSplitting: { groups: GROUPS },
          minify: SMALL,
        },
      ),
      bundleStarter(dir),
      declareTypes(`${dir}/types`),
      prepareValidators(`${dir}/validators.cjs`),
    ]).then(() => writeHelp(dir)),
  ),
  replace('build', (dir) =>
    bundle({ input: MODULES }, { dir, format: 'esm', preserveModules: true, preserveModulesRoot: '.' }),
  ),
]);
