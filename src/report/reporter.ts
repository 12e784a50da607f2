import type { Report } from '../contract/report.ts';
import type { EvidenceRecord } from '../evidence/types.ts';

/** How a page is rendered. */
export interface RenderOptions {
  /** With colours. */
  readonly color: boolean;
  /** With what is only counted otherwise. */
  readonly verbose?: boolean;
  /** With the verdict and what is red alone. */
  readonly quiet?: boolean;
  /** Columns of the terminal that shows it; lines stay as long as they are where nobody knows. */
  readonly width?: number | undefined;
  /** What the report was judged from, for formats that show it. */
  readonly records?: readonly EvidenceRecord[] | undefined;
}

/** A report format. */
export interface Reporter {
  /** Pure from the report to the format's text. */
  readonly render: (report: Report, options: RenderOptions) => string;
  /** What a pipeline's runner is told beside the text: lines that it reads from a step's output. */
  readonly announce?: (report: Report) => string;
  /** A page for browsers: a pipeline's runner that reads standard output might obey what stands in it. */
  readonly needsFile?: true;
  /** The environment variable that names the file to which the text is added where none is given. */
  readonly addsTo?: string;
}
