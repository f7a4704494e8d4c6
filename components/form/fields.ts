import * as z from "zod";

/** The fields of a body as a schema. Drops refinements, because zod cannot `pick` from a refined schema. */
export function fieldsOf<Shape extends z.core.$ZodShape>({ body }: { body?: z.ZodObject<Shape> }) {
  return z.object(body!.shape);
}

/** A complete `CodeField`. */
export const sixDigits = z.string().regex(/^\d{6}$/);

/** Makes a field required that is optional in the operation. */
export function requiredField<T extends z.ZodType>(field: z.ZodOptional<z.ZodNullable<T>>): T {
  return field.unwrap().unwrap();
}
