import { domain } from "@/server/core/domain";
import { portalLockErrors } from "./errors";

export const portalLock = domain({ errors: portalLockErrors });
