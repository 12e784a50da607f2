// Sends the requests of a recorded run, bare, to a host with this address: what a run costs at least.
import { sendRecorded } from './send-recorded.mjs';

const [file, baseUrl] = process.argv.slice(2);
await sendRecorded(file, { baseUrls: [baseUrl], apiKey: process.env.OPENWOP_API_KEY });
