import { createHandler } from "@/server/core/contract";
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
import { answerEcho } from "./service/address";
import { checkReadiness, reportLiveness, runHealthChecks } from "./service/check";
import { listEnvironmentVariables } from "./service/environment";
import { testExternalService } from "./service/external-services";
import { platformServices } from "./service/platform-services";
import { readPlatformHealth } from "./service/rows";

export const health = domain({
  operations: {
    check: createHandler(getHealth, runHealthChecks),
    live: createHandler(getLiveness, reportLiveness),
    ready: createHandler(getReadiness, checkReadiness),
    echo: createHandler(getEcho, answerEcho),
    rows: createHandler(getPlatformHealth, readPlatformHealth),
    environment: createHandler(listEnvironment, listEnvironmentVariables),
    testParty: createHandler(testParty, testExternalService),
  },
  jobs: {
    compare_files: job(compareFilesJob, { cron: "40 4 * * *", catchUp: "1d" }),
  },
  externalServices: platformServices,
  mails: ["mail_server_test"],
  audit: ["health.party_tested", "backup.made", "files.compared"],
});
