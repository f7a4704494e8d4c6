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
import { answerEcho } from "./service/address";
import { checkReadiness, reportLiveness, runHealthChecks } from "./service/check";
import { listEnvironmentVariables } from "./service/environment";
import { testExternalService } from "./service/external-services";
import { platformServices } from "./service/platform-services";
import { readPlatformHealth } from "./service/rows";

export const health = domain({
  operations: {
    check: handle(getHealth, runHealthChecks),
    live: handle(getLiveness, reportLiveness),
    ready: handle(getReadiness, checkReadiness),
    echo: handle(getEcho, answerEcho),
    rows: handle(getPlatformHealth, readPlatformHealth),
    environment: handle(listEnvironment, listEnvironmentVariables),
    testParty: handle(testParty, testExternalService),
  },
  jobs: {
    compare_files: job(compareFilesJob, { cron: "40 4 * * *", catchUp: "1d" }),
  },
  externalServices: platformServices,
  mails: ["mail_server_test"],
  audit: ["health.party_tested", "backup.made", "files.compared"],
});
