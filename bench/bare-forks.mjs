// Sends what an audit asked for one run, bare, for each run of a list: what an audit costs at least.
import { readFileSync } from 'node:fs';
import { eachConcurrently } from './measure.mjs';

const [baseUrl, list, requests] = process.argv.slice(2);
const asked = JSON.parse(readFileSync(requests, 'utf8'));
const authorization = `Bearer ${process.env.OPENWOP_API_KEY}`;

await eachConcurrently(readFileSync(list, 'utf8').split('\n'), 8, async (source) => {
  let fork = 'FORK';
  for (const { method, path, accept, body } of asked) {
    const url = baseUrl + path.replaceAll('SOURCE', source).replaceAll('FORK', fork);
    const headers = {
      authorization,
      ...(accept === null ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await fetch(url, { method, headers, body });
    const text = await answer.text();
    if (path.endsWith(':fork')) fork = JSON.parse(text).runId;
  }
});
