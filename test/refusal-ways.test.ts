import { describe, expect, it } from 'vitest';
import { isObject, member } from '../reference-host/json.ts';
import { advertisingWith, EXECUTION_MODEL } from '../reference-host/mutants/shared/discovery-parts.ts';
import type { HostParts } from '../reference-host/parts.ts';
import { refusalDivergence } from '../scenarios/refusal-divergence/index.ts';
import { runMutant } from './run-mutant.ts';
import type { CheckReport } from '../src/contract/report.ts';
import { around, refused } from './variants/wire.ts';

type Parts = (conformant: HostParts) => Partial<HostParts>;

/** The checks of the suite on the reference host with some parts replaced, by their verdict. */
async function verdicts(parts: Parts) {
  const { checks } = await runMutant([refusalDivergence], { parts }, 'few');
  const named = (verdict: CheckReport['verdict']): readonly CheckReport[] =>
    checks.filter((check) => check.verdict === verdict);
  const [passed, failed, open] = [named('pass'), named('fail'), named('inconclusive')];
  return { passed, failed: failed.map(({ id }) => id), open, skipped: named('not-applicable') };
}

const missing = (path: RegExp): Parts => around(path, () => refused(404, 'not_found'));

/** Creating a run of the workflow is refused. */
function withoutWorkflow(workflowId: string): Parts {
  return around(/^\/v1\/runs$/, async (request, next) => {
    const text = await request.clone().text();
    return text.includes(workflowId) ? refused(404, 'not_found') : next(request);
  });
}

/** A host that knows only the second form of a program's entries. */
const secondFormOnly: Parts = around(/\/program$/, async (request, next) => {
  const program = member(await request.clone().json(), 'program');
  const isSecond = Array.isArray(program) && program.every((entry) => isObject(entry) && Object.hasOwn(entry, 'mode'));
  return isSecond ? next(request) : refused(400, 'validation_error');
});

/** Version 3, which goes on with whatever its model says. */
const versionThree: Parts = (conformant) => ({
  ...advertisingWith(EXECUTION_MODEL, { version: 3 })(conformant),
  refusal: { ...conformant.refusal, onDivergence: () => 'go on' },
});

/** Says that it took a program, and answers by its own all the same. */
const programsIgnored: Parts = around(/\/program$/, () => Response.json({}));

/** What only the mock model shows. */
const OF_MOCKS = [
  'refusal.valid-to-refusal.kinds',
  'refusal.refusal-to-valid.kinds',
  'refusal.mid-graph',
  'refusal.payload.mid-graph',
  'refusal.mid-graph.other-calls',
];

describe('a conformant host that offers less', () => {
  it('fails nothing for answers of the mock model that no run gets', async () => {
    const { failed, open } = await verdicts(programsIgnored);
    expect([failed, open.map(({ id }) => id)]).toEqual([[], OF_MOCKS]);
  });

  it('decides everything with the mock model alone', async () => {
    const { failed, open, passed } = await verdicts(missing(/\/purge$/));
    expect([failed, open]).toEqual([[], []]);
    const [first] = passed;
    expect(first?.reason).toMatch(/^not seen: provider at the witness.*: expose llm-cache\/purge$/);
  });

  it('decides everything but the chain with the provider at the witness alone', async () => {
    const { failed, open } = await verdicts(missing(/\/program$/));
    expect(failed).toEqual([]);
    expect(open.map(({ id }) => id)).toEqual(OF_MOCKS);
  });

  it('passes what a cache shows, and no more, without any seam', async () => {
    const { failed, open, passed } = await verdicts(missing(/\/(program|purge)$/));
    expect(failed).toEqual([]);
    expect(passed.map(({ id }) => id)).toEqual([
      'refusal.cached-response-wins',
      'refusal.source-untouched.valid-to-refusal',
      'refusal.cached-refusal',
      'refusal.source-untouched.refusal-to-valid',
    ]);
    for (const { reason } of open) expect(reason).toContain('mock-ai/program');
  });

  it('is tested with the workflow that public hosts seed where it has no better one', async () => {
    const { failed, open } = await verdicts(withoutWorkflow('conformance-determinism-llm-gate'));
    expect([failed, open]).toEqual([[], []]);
  });

  it('may know only the other form of a mock program', async () => {
    const { failed, open } = await verdicts(secondFormOnly);
    expect([failed, open]).toEqual([[], []]);
  });

  it('may serve live runs what other runs recorded', async () => {
    const { failed } = await verdicts(({ llmCache }) => ({ llmCache: { ...llmCache, liveMayShare: () => true } }));
    expect(failed).toEqual([]);
  });

  it('passes below version 4 where it says nothing', async () => {
    const { failed, open, passed, skipped } = await verdicts(versionThree);
    expect([failed, open]).toEqual([[], []]);
    expect(passed.map(({ id }) => id)).toEqual(['refusal.not-below-version-four']);
    expect(skipped).toHaveLength(25);
  });
});
