import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  getEcho,
  getHealth,
  getLiveness,
  getPlatformHealth,
  getReadiness,
  listEnvironment,
  testParty,
} from "./contract";
import { compareFilesJob } from "./jobs";
import { echo } from "./service/address";
import { check, live, ready } from "./service/check";
import { environment } from "./service/environment";
import { test } from "./service/external-services";
import { platformServices } from "./service/platform-services";
import { rows } from "./service/rows";

export const health = domain({
  operations: {
    check: handle(getHealth, check),
    live: handle(getLiveness, live),
    ready: handle(getReadiness, ready),
    echo: handle(getEcho, echo),
    rows: handle(getPlatformHealth, rows),
    environment: handle(listEnvironment, environment),
    testParty: handle(testParty, test),
  },
  jobs: {
    compare_files: job(compareFilesJob, { cron: "40 4 * * *", catchUp: "1d" }),
  },
  externalServices: platformServices,
  mails: ["mail_server_test"],
  audit: ["health.party_tested", "backup.made", "files.compared"],
});
