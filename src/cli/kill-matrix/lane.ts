import { parentPort } from 'node:worker_threads';
import { doJob, type LaneJob } from './jobs.ts';

// What fails here is nobody's verdict: it ends the thread, and with it the matrix.
parentPort?.on('message', (job: LaneJob) => {
  void doJob(job).then((answer) => parentPort?.postMessage(answer));
});
