import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { removeAvatar, uploadAvatar } from "./contract";
import { sweepAvatarsJob } from "./jobs";
import { AVATARS, remove, upload } from "./service/change";

export const avatar = domain({
  operations: {
    upload: handle(uploadAvatar, upload),
    remove: handle(removeAvatar, remove),
  },
  jobs: {
    sweep_avatars: job(sweepAvatarsJob, { cron: "47 * * * *", fill: "1d" }),
  },
  stored: [{ table: "users", column: "avatar_url", folder: AVATARS }],
  audit: ["profile.avatar_changed", "profile.avatar_removed"],
});
