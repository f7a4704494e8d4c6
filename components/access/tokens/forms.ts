import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { createUserToken } from "@/server/domains/access/tokens/contract";
import { LIVES, PRESETS, type Preset } from "./abilities";

/* Rules of the forms here, loaded when somebody fills one in. */

/** Abilities and life as the choices of this form. */
export const keyForm = {
  body: fieldsOf(createUserToken)
    .pick({ name: true })
    .extend({ preset: z.enum(Object.keys(PRESETS) as [Preset, ...Preset[]]), life: z.enum(LIVES) }),
};
