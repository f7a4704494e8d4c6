import * as z from "zod";
import { getBodyFields } from "@/components/form/fields";
import { createUserToken } from "@/server/domains/access/tokens/contract";
import { ABILITY_PRESETS, type AbilityPreset, LIFETIME_OPTIONS } from "./abilities";

export const keyForm = {
  body: getBodyFields(createUserToken)
    .pick({ name: true })
    .extend({
      preset: z.enum(Object.keys(ABILITY_PRESETS) as [AbilityPreset, ...AbilityPreset[]]),
      life: z.enum(LIFETIME_OPTIONS),
    }),
};
