import * as z from "zod";
import { operation } from "@/server/core/contract";
import { message, success } from "@/server/core/schema";
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from "./policy";

export const uploadAvatar = operation({
  id: "uploadAvatar",
  method: "POST",
  path: "/api/user/avatar",
  tag: "Profile",
  summary: "Upload the account's picture",
  description:
    "JPEG, PNG or WEBP, detected by content. The picture is rotated upright, cropped to a centred square, scaled to 256 " +
    "pixels and re-encoded as WEBP without metadata.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: IMAGE_MAX_BYTES, types: IMAGE_TYPES },
  status: 200,
  output: z.object({
    success,
    message,
    avatar_url: z
      .string()
      .meta({ description: "URL of the picture.", example: "https://example.com/media/avatars/ayse.webp" }),
  }),
});

export const removeAvatar = operation({
  id: "removeAvatar",
  method: "DELETE",
  path: "/api/user/avatar",
  tag: "Profile",
  summary: "Remove the account's picture",
  description: "Succeeds even without a picture.",
  access: "token",
  withoutFactor: true,
  ability: "profile:write",
  status: 200,
  output: z.object({
    success,
    message,
    avatar_url: z.null().meta({ description: "Always null: the picture is removed." }),
  }),
});
