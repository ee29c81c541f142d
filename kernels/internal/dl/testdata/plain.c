/* A library for the tests of package dl. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

uint64_t plain_weigh(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                     uint64_t f, uint64_t g, uint64_t h, uint64_t i, uint64_t j,
                     uint64_t k) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
         10 * j + 11 * k;
}

/* What an int function may leave in the register: only the low half counts. */
uint64_t plain_minus_two(void) { return 0xABCDABCDFFFFFFFEu; }

void plain_write(uint64_t *out, uint64_t v) { *out = v; }

const char *plain_name(void) { return "plain"; }

char *plain_fill(uint64_t n, int c) {
  char *p = malloc(n);
  return p ? memset(p, c, n) : p;
}

void plain_free(void *p) { free(p); }
