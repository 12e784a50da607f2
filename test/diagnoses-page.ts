import { SUITES } from '../scenarios/index.ts';
import { sharedDiagnoses } from '../scenarios/shared/diagnoses.ts';
import { catalogue } from '../src/cache-key/index.ts';
import type { ExplainedDiagnosis } from '../src/contract/verdict.ts';
import { rowPlaces } from './requirements-page.ts';

const HEAD = `# What a diagnosis means

Made from the tables of the suites by \`npx vitest run test/coverage-page.test.ts -u\`. \`openwop-conformance explain CODE\` says the same.

A failed check has one diagnosis, \`{code, message}\`, on one line of its report. Codes stay; messages may be worded better.

    diagnosis:  second-call: a replay called the tool, the model or another external system again; it takes what is recorded, or nothing

Look first at the row of the failed check among those named here, or at the first one: its clause says what was to be done, and its mutants
are hosts that do exactly this wrong. Then at \`expected\`, \`actual\` and \`reason\`, which say where, and at the requests that \`reproduce\` shows. Where
the report says that other checks rest on this one, this one is to be mended first.
`;

const CATALOGUE = `What a host does to a request before it computes its digest. The message goes on with the vector that shows it first, the key that this wrong
rule gives, and how many of all answers it explains:

    diagnosis:  nfc-applied: strings are normalised as Unicode defines: …; first shown by "generated 4: …", where the wrong rule gives 4c4d…; explains 200 of 200 keys

Two that only together explain the keys have one name: \`null-placeholders+nfc-applied\`. \`openwop-conformance cache-key FILE --diagnose KEY\` names
the rule of one key. All break [cache-key.reproducible-offline], and what is named beside it.
`;

/** The page of all diagnoses: a table for each suite, for what suites share and for the rules of wrong cache keys. */
export function diagnosesPage(): string {
  const page = [
    HEAD,
    '## Shared by suites\n',
    table(sharedDiagnoses),
    ...SUITES.flatMap(({ id, diagnoses }) => (diagnoses === undefined ? [] : [`## ${id}\n`, table(diagnoses)])),
    '## Wrong cache keys\n',
    CATALOGUE,
    table(catalogue, ['cache-key.reproducible-offline']),
  ].join('\n');
  return `${page}\n${rowPlaces(page)}`;
}

function table(diagnoses: readonly ExplainedDiagnosis[], known: readonly string[] = []): string {
  const rows = diagnoses.map(({ code, message, breaks }) => {
    const links = breaks.filter((id) => !known.includes(id)).map((id) => `[${id}]`);
    return `| \`${code}\` | ${message.replaceAll('|', String.raw`\|`)} | ${links.join(', ')} |`;
  });
  return ['| code | what is wrong | rows |', '| --- | --- | --- |', ...rows, ''].join('\n');
}
