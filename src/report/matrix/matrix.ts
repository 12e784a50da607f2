import { present } from '../../contract/present.ts';
import type { Level } from '../../contract/requirement.ts';
import type { Counts, ExitCode, OverallVerdict, Report, RequirementReport } from '../../contract/report.ts';
import type { Verdict } from '../../contract/verdict.ts';

/** A host and what its run gave. */
export interface JudgedTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly exitCode: ExitCode;
  /** None where the run ended without one. */
  readonly report: Report | undefined;
  /** Why there is none, or what was lost. */
  readonly reason?: string;
}

/** What a host's run says of a requirement; `known` is accepted by its baseline, failed or undecided. */
export type Cell = Verdict | 'known';

/** A host in the matrix, without what its own report says. */
export interface MatrixTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly implementation: string | null;
  readonly verdict: OverallVerdict | 'not-judged';
  readonly exitCode: ExitCode;
  readonly counts?: Counts;
  readonly reason?: string;
}

/** A requirement, and its cell by the names of the hosts whose runs looked at it. */
export interface MatrixRow {
  readonly id: string;
  readonly level: Level;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** Many hosts against all requirements (schemas/targets.schema.json#matrix). */
export interface TargetMatrix {
  readonly matrixVersion: 1;
  readonly tool: Report['tool'];
  readonly exitCode: ExitCode;
  readonly interrupted?: NonNullable<Report['interrupted']>;
  readonly targets: readonly MatrixTarget[];
  readonly requirements: readonly MatrixRow[];
}

/** The worst first: interrupted, error of the harness, wrong usage, failure, inconclusive, conformant. */
const WORST_FIRST: readonly ExitCode[] = [143, 130, 129, 4, 2, 1, 3, 0];

/** Puts the reports of many hosts beside each other: requirements in the order of the first report that has them. */
export function matrixOf(
  judged: readonly JudgedTarget[],
  more: Pick<TargetMatrix, 'tool' | 'interrupted'> & { readonly exitCode?: ExitCode },
): TargetMatrix {
  const rows = new Map<string, { readonly level: Level; readonly cells: Map<string, Cell> }>();
  for (const { name, report } of judged) {
    for (const requirement of report?.requirements ?? []) {
      const { id, level } = requirement;
      const row = rows.get(id) ?? { level, cells: new Map<string, Cell>() };
      rows.set(id, row);
      row.cells.set(name, cellOf(requirement, report));
    }
  }
  const codes = judged.map(({ exitCode }) => exitCode);
  return {
    matrixVersion: 1,
    exitCode: WORST_FIRST.find((code) => codes.includes(code)) ?? 4,
    ...more,
    targets: judged.map(rowOf),
    requirements: [...rows].map(([id, { level, cells }]) => ({ id, level, cells: Object.fromEntries(cells) })),
  };
}

/** A verdict that is not good is known where each check that gives it is. */
function cellOf({ id, verdict }: RequirementReport, report: Report | undefined): Cell {
  const giving = (report?.checks ?? []).filter((check) => check.requirement === id && check.verdict === verdict);
  const isKnown = giving.length > 0 && giving.every(({ known }) => known !== undefined);
  return isKnown ? 'known' : verdict;
}

function rowOf({ name, baseUrl, exitCode, report, reason = report?.preflight?.message }: JudgedTarget): MatrixTarget {
  return {
    name,
    baseUrl,
    implementation: report?.target.implementation ?? null,
    verdict: report?.verdict ?? 'not-judged',
    exitCode,
    ...present({ counts: report?.counts, reason }),
  };
}

/** Requirements that some host fails, is known to fail, or that could not be judged there. */
export function redRows({ requirements }: TargetMatrix): readonly MatrixRow[] {
  return requirements.filter(({ cells }) => Object.values(cells).some((cell) => RED.has(cell)));
}

const RED: ReadonlySet<Cell> = new Set(['fail', 'error', 'known']);

/** How many hosts there are of each verdict, in words. */
export function conclusionOf({ targets }: TargetMatrix): string {
  const words = ['non-conformant', 'error', 'not-judged', 'inconclusive', 'conformant'] as const;
  const parts = words.flatMap((word) => {
    const count = targets.filter(({ verdict }) => verdict === word).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${targets.length === 1 ? '1 host' : `${targets.length} hosts`}: ${parts.join(', ')}`;
}

/** A host's figures in words; what there is none of is left out. */
export function figuresOf({ counts, reason }: MatrixTarget): string {
  const figures = counts === undefined ? [] : FIGURES.filter(([name]) => counts[name] > 0);
  const words = figures.map(([name, word]) => `${counts?.[name] ?? 0} ${word}`);
  return [...words, ...(reason === undefined ? [] : [reason])].join(', ');
}

const FIGURES: readonly (readonly [name: keyof Counts, word: string])[] = [
  ['fail', 'failed'],
  ['error', 'errors'],
  ['inconclusive', 'inconclusive'],
  ['pass', 'passed'],
  ['notApplicable', 'not applicable'],
];
