import { handle } from "@/server/core/contract";
import { removeAvatar, uploadAvatar } from "./contract";
import { remove, upload } from "./service/change";

export const avatarOperations = {
  upload: handle(uploadAvatar, upload),
  remove: handle(removeAvatar, remove),
};
