import type { Report } from '../contract/report.ts';
import { present } from '../contract/present.ts';

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://openwop-conformance.invalid/certificate/v1';

/** What judged the evidence. */
export interface Certifier {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the program. */
  readonly program: string;
  /** SHA-256 of the checks that it knows. */
  readonly checks: string;
}

/** What made the run less than a whole one. */
type Ended = 'interrupted' | 'endsEarly' | 'stoppedAfter' | 'ranOutOf' | 'excluded';

/** What evidence shows, without its words. */
export type CertifiedRun = Pick<
  Report,
  'tool' | 'target' | 'options' | 'startedAt' | 'verdict' | 'exitCode' | 'counts' | Ended
> & {
  readonly suites: readonly Pick<Report['suites'][number], 'id' | 'verdict' | 'counts'>[];
  readonly checks: Readonly<Record<string, string>>;
};

/** An in-toto statement about an evidence file (schemas/certificate.schema.json#statement). */
export interface Statement {
  readonly _type: string;
  readonly subject: readonly [{ readonly name: string; readonly digest: { readonly sha256: string } }];
  readonly predicateType: string;
  readonly predicate: {
    readonly certifier: Certifier;
    readonly run: CertifiedRun;
    readonly issuedAt: string;
    readonly expiresAt: string;
  };
}

/** What a statement is made of. */
export interface Certified {
  readonly report: Report;
  readonly evidenceSha256: string;
  readonly certifier: Certifier;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** What a certificate says. */
export function makeStatement({ report, evidenceSha256, certifier, issuedAt, expiresAt }: Certified): Statement {
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: 'evidence', digest: { sha256: evidenceSha256 } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      certifier,
      run: certifiedRun(report),
      issuedAt: issuedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    },
  };
}

/** What a report says that a certificate repeats. */
export function certifiedRun(report: Report): CertifiedRun {
  const { tool, target, options, startedAt, verdict, exitCode, counts, suites, checks } = report;
  const { interrupted, endsEarly, stoppedAfter, ranOutOf, excluded } = report;
  return {
    tool,
    target,
    options,
    startedAt,
    verdict,
    exitCode,
    counts,
    suites: suites.map(({ id, verdict: own, counts: amounts }) => ({ id, verdict: own, counts: amounts })),
    ...present({ interrupted, endsEarly, stoppedAfter, ranOutOf, excluded }),
    checks: Object.fromEntries(checks.map(({ id, verdict: own }) => [id, own])),
  };
}
