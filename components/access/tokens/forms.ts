import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { createUserToken } from "@/server/domains/access/tokens/contract";
import { LIVES, PRESETS, type Preset } from "./abilities";

export const keyForm = {
  body: fieldsOf(createUserToken)
    .pick({ name: true })
    .extend({ preset: z.enum(Object.keys(PRESETS) as [Preset, ...Preset[]]), life: z.enum(LIVES) }),
};
