-- CreateTable
CREATE TABLE "addition_reviews" (
    "user_id" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "addition_reviews_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "account_additions" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_additions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "addition_reviews_token_hash_key" ON "addition_reviews"("token_hash");

-- CreateIndex
CREATE INDEX "account_additions_user_id_mailed_at_idx" ON "account_additions"("user_id", "mailed_at");

-- CreateIndex
CREATE INDEX "account_additions_created_at_idx" ON "account_additions"("created_at");

-- AddForeignKey
ALTER TABLE "addition_reviews" ADD CONSTRAINT "addition_reviews_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_additions" ADD CONSTRAINT "account_additions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
