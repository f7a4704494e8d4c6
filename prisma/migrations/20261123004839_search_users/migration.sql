-- AlterTable
ALTER TABLE "users" ADD COLUMN     "search_text" TEXT;

-- Parts of names, addresses and telephones are found by their trigrams.
CREATE INDEX "users_search_text_idx" ON "users" USING gin ("search_text" gin_trgm_ops);

-- Rows that the job `fold_users` has yet to fold: a handful, so that looking for them costs nothing.
CREATE INDEX "users_unfolded_idx" ON "users"("id") WHERE "search_text" IS NULL;

-- A writer that changes what an account is found by, and not what it is found as, leaves it to the job: the release before
-- this one does not know the column.
CREATE FUNCTION "unfold_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."search_text" IS NOT DISTINCT FROM OLD."search_text"
     AND (NEW."name", NEW."email", NEW."phone") IS DISTINCT FROM (OLD."name", OLD."email", OLD."phone") THEN
    NEW."search_text" := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "users_unfold" BEFORE UPDATE OF "name", "email", "phone" ON "users"
  FOR EACH ROW EXECUTE FUNCTION "unfold_user"();
