import {
  type CheckReport,
  count,
  type Counts,
  type Report,
  type RequirementReport,
  type SuiteReport,
} from '../src/contract/report.ts';

/** A check of a report; its requirement is the first two parts of its id. */
export function checkReport(id: string, verdict: CheckReport['verdict'], more: Partial<CheckReport> = {}): CheckReport {
  return {
    id,
    suite: id.startsWith('discovery') ? 'discovery' : 'cache-key-portable',
    scenario: `${id}.scenario`,
    requirement: id.split('.').slice(0, 2).join('.'),
    level: 'MUST',
    verdict,
    title: `Title of ${id}`,
    evidence: ['o1'],
    durationMs: 5,
    ...more,
  };
}

function suiteVerdict({ fail, error, inconclusive, pass }: Counts): SuiteReport['verdict'] {
  if (error > 0) return 'error';
  if (fail > 0) return 'non-conformant';
  if (inconclusive > 0) return 'inconclusive';
  return pass > 0 ? 'conformant' : 'not-judged';
}

function rowsOf(checks: readonly CheckReport[]): readonly RequirementReport[] {
  return checks.map(({ id, requirement, level, verdict }) => ({ id: requirement, level, verdict, checks: [id] }));
}

/** A report of these checks, each of which has a row of its own. */
function reportOf(
  checks: readonly CheckReport[],
  more: Pick<Report, 'verdict' | 'exitCode'> & Partial<Report>,
): Report {
  return {
    reportVersion: 1,
    tool: { name: 'openwop-conformance', version: '1.2.3' },
    target: {
      baseUrl: 'http://127.0.0.1:80',
      implementation: 'host 1',
      discoverySha256: '0'.repeat(64),
      executionModelVersion: 4,
      recipeAdvertised: 'spec-rfc-0041',
      recipeObserved: 'rfc-0150',
    },
    options: { seed: 1 },
    counts: count(checks.map(({ verdict }) => verdict)),
    suites: [...new Set(checks.map(({ suite }) => suite))].map((id) => {
      const counts = count(checks.filter(({ suite }) => suite === id).map(({ verdict }) => verdict));
      return { id, verdict: suiteVerdict(counts), counts };
    }),
    nextSteps: [],
    requirements: rowsOf(checks),
    checks,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1234,
    ...more,
  };
}

const UPPERCASE = checkReport('cache-key.lowercase-hex', 'fail', {
  expected: '64 lowercase hex characters',
  actual: '"ABC"',
  diagnosis: { code: 'uppercase-hex', message: 'the key is in upper case' },
  evidence: ['o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7'],
  reproduce: "curl -sS http://h --data-raw '{}'",
});
const NOTED = checkReport('discovery.shape', 'pass', { reason: 'the root and its mirror differ' });
const NO_VENDOR = checkReport('discovery.vendor-recipe-documented', 'not-applicable', {
  reason: 'no vendor recipe',
  evidence: [],
});
const NO_SEAM = { reason: 'the seam is missing', evidence: [] };
const EXPOSE = { steps: ['expose llm-cache-key'], checks: ['cache-key.sorts-tools', 'cache-key.jcs-numbers'] };

/** Every verdict once at least, the harness's own error too. */
export const MIXED = reportOf(
  [
    checkReport('discovery.reachable', 'pass'),
    NOTED,
    NO_VENDOR,
    UPPERCASE,
    checkReport('cache-key.deterministic', 'error', { reason: 'the judge failed', evidence: [] }),
    checkReport('cache-key.sorts-tools', 'inconclusive', NO_SEAM),
    checkReport('cache-key.jcs-numbers', 'inconclusive', NO_SEAM),
  ],
  { verdict: 'error', exitCode: 4, nextSteps: [EXPOSE] },
);

/** Nothing failed, and all that applies was decided. */
export const GREEN = reportOf([checkReport('discovery.reachable', 'pass'), NOTED, NO_VENDOR], {
  verdict: 'conformant',
  exitCode: 0,
});

/** One failure that another check rests on, one that is only advice, and one that is known. */
export const RED = reportOf(
  [
    checkReport('discovery.reachable', 'pass'),
    UPPERCASE,
    checkReport('cache-key.sorts-tools', 'inconclusive', {
      reason: 'no key could be compared',
      restsOn: 'cache-key.lowercase-hex',
    }),
    checkReport('fork.unadvertised-mode', 'fail', { suite: 'fork-contract', level: 'SHOULD', actual: '201 Created' }),
    checkReport('fork.created', 'fail', {
      suite: 'fork-contract',
      expected: '201',
      actual: '200',
      known: { reason: 'fixed in 2.0', link: 'https://host.example/issues/7' },
    }),
  ],
  { verdict: 'non-conformant', exitCode: 1 },
);

/** Nothing failed, but rows that decide could not be decided. */
export const INCONCLUSIVE = reportOf(
  [
    checkReport('discovery.reachable', 'pass'),
    checkReport('cache-key.sorts-tools', 'inconclusive', NO_SEAM),
    checkReport('cache-key.jcs-numbers', 'inconclusive', NO_SEAM),
    checkReport('cache-key.canonical-reported', 'inconclusive', { ...NO_SEAM, level: 'SHOULD' }),
  ],
  { verdict: 'inconclusive', exitCode: 3, nextSteps: [EXPOSE] },
);

/** What a host may send to be obeyed by a terminal, a pipeline's runner or whatever reads a report. */
export const HOSTILE = [
  '\u001b[2J\u001b]0;title\u0007',
  '\r\b\u0000\u007f\u0085\u009b31m',
  'a\u202eb\u2066c\u2069\u200b\u200f\u061c\ufeff\u2028\u2029\u2060\ufffa',
  '\u00ad\u034f\u115f\u180e\u2800\u3164\ufe0f\u{e0041}\u{e0100}',
  '\ud800 \udc00 lone',
  'line one\nline two\ttab',
  ']]> <b a="1">&amp; \' </failure>',
  '\ufffe\uffff',
  '::error::x\n::stop-commands::t',
  '##vso[task.complete]\n###[error]x',
  "##teamcity[buildStop comment='']",
  '```\n# heading\n<script>alert(1)</script>\n[link](http://h.example) ![image](http://h.example/x.png) @someone',
  '\nBail out! now\nok 1 - x # SKIP\n1..0\n---\n...\n',
].join('|');

/** What no report may hold as it is: controls but for line ends, what nobody sees, commands of runners. */
export const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|::|##[\w.-]*\[/u;

/** A report that holds this text wherever a host, or who wrote the evidence, may put one. */
export function hostileReport(text: string): Report {
  const everywhere = {
    expected: text,
    actual: text,
    reason: text,
    diagnosis: { code: text, message: text },
    reproduce: text,
    title: text,
  };
  const verdicts = ['pass', 'fail', 'inconclusive', 'not-applicable', 'error'] as const;
  const counts = { pass: 1, fail: 1, inconclusive: 1, notApplicable: 1, error: 1 };
  return {
    ...MIXED,
    tool: { name: text, version: text },
    target: { ...MIXED.target, baseUrl: text, implementation: text, recipeAdvertised: text, recipeObserved: text },
    options: { text },
    suites: [{ id: text, counts, verdict: 'not-judged', reason: text }],
    unmet: [{ id: text, reason: text }],
    leftOut: text,
    preflight: { code: text, message: `${text}.` },
    nextSteps: [{ steps: [text, text], untested: text, checks: [text] }],
    checks: [
      ...verdicts.map((verdict) => checkReport('discovery.shape', verdict, everywhere)),
      checkReport('discovery.shape', 'fail', { ...everywhere, known: { reason: text, link: text } }),
      checkReport('discovery.shape', 'inconclusive', { ...everywhere, restsOn: text }),
      checkReport('discovery.shape', 'fail', { ...everywhere, level: 'MAY' }),
    ],
  };
}
