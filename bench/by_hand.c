/* The three board games written by hand, on words of bits: how fast random plays can be.

   Each function plays so many games, everybody choosing each possible move equally likely; it counts who has won
   (the first, the second, nobody) and the decisions. */

#include <stdint.h>

typedef uint64_t Cells;

static uint64_t state;

static uint32_t below(uint32_t bound) {
    uint64_t mixed = (state += 0x9E3779B97F4A7C15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(((mixed >> 32) * bound) >> 32);
}

static int count(Cells cells) { return __builtin_popcountll(cells); }

static Cells one_of(Cells cells, int place) {
    while (place--) cells &= cells - 1;
    return cells & -cells;
}

/* ---- Connect Four: seven columns of seven bits, of which the highest is never used ---- */

static int has_four(Cells cells) {
    static const int steps[4] = {1, 7, 6, 8};
    for (int n = 0; n < 4; n++) {
        Cells pairs = cells & (cells >> steps[n]);
        if (pairs & (pairs >> 2 * steps[n])) return 1;
    }
    return 0;
}

void connect_four(uint64_t seed, int games, int64_t *outcomes, int64_t *decisions) {
    state = seed;
    for (int game = 0; game < games; game++) {
        Cells men[2] = {0, 0}, next[7];
        int columns = 7, made = 0, result = 2;
        for (int x = 0; x < 7; x++) next[x] = (Cells)1 << 7 * x;
        while (columns) {
            int x = below(columns), who = made++ & 1;
            men[who] |= next[x];
            if (has_four(men[who])) {
                result = who;
                break;
            }
            next[x] <<= 1;
            if (next[x] & 0x1020408102040u) next[x] = next[--columns];
        }
        outcomes[result]++;
        *decisions += made;
    }
}

/* ---- Breakthrough: the first goes up, the second down ---- */

static const Cells LEFT = 0x0101010101010101u, RIGHT = 0x8080808080808080u;

static Cells ahead(Cells cells, int who, int aside) {
    return who ? cells >> (8 - aside) : cells << (8 + aside);
}

void breakthrough(uint64_t seed, int games, int64_t *outcomes, int64_t *decisions) {
    state = seed;
    for (int game = 0; game < games; game++) {
        Cells men[2] = {0xFFFF, (Cells)0xFFFF << 48};
        int who = 0;
        for (;;) {
            Cells mine = men[who], free = ~(men[0] | men[1]);
            Cells goals[3] = {ahead(mine & ~LEFT, who, -1) & ~mine, ahead(mine, who, 0) & free,
                              ahead(mine & ~RIGHT, who, 1) & ~mine};
            int left = count(goals[0]), straight = count(goals[1]), way = 0;
            int place = below(left + straight + count(goals[2]));
            if (place >= left) place -= left, way = 1;
            if (way && place >= straight) place -= straight, way = 2;
            Cells goal = one_of(goals[way], place);
            men[who] ^= goal | ahead(goal, who ^ 1, 1 - way);
            men[who ^ 1] &= ~goal;
            ++*decisions;
            if (goal & 0xFF000000000000FFu || !men[who ^ 1]) break;
            who ^= 1;
        }
        outcomes[who]++;
    }
}

/* ---- Reversi: who cannot move passes, which is a decision ---- */

static const int STEPS[4] = {1, 7, 8, 9};
static const Cells INNER[4] = {0x7E7E7E7E7E7E7E7Eu, 0x7E7E7E7E7E7E7E7Eu, ~(Cells)0, 0x7E7E7E7E7E7E7E7Eu};

static Cells up(Cells from, Cells through, int step) {
    Cells met = through & (from << step);
    for (int n = 0; n < 5; n++) met |= through & (met << step);
    return met;
}

static Cells down(Cells from, Cells through, int step) {
    Cells met = through & (from >> step);
    for (int n = 0; n < 5; n++) met |= through & (met >> step);
    return met;
}

static Cells moves(Cells mine, Cells others) {
    Cells found = 0;
    for (int n = 0; n < 4; n++) {
        Cells through = others & INNER[n];
        found |= up(mine, through, STEPS[n]) << STEPS[n] | down(mine, through, STEPS[n]) >> STEPS[n];
    }
    return found & ~(mine | others);
}

static Cells turned(Cells cell, Cells mine, Cells others) {
    Cells found = 0;
    for (int n = 0; n < 4; n++) {
        Cells through = others & INNER[n];
        Cells above = up(cell, through, STEPS[n]), under = down(cell, through, STEPS[n]);
        if (above << STEPS[n] & mine) found |= above;
        if (under >> STEPS[n] & mine) found |= under;
    }
    return found;
}

void reversi(uint64_t seed, int games, int64_t *outcomes, int64_t *decisions) {
    state = seed;
    for (int game = 0; game < games; game++) {
        Cells men[2] = {(Cells)1 << 28 | (Cells)1 << 35, (Cells)1 << 27 | (Cells)1 << 36};
        int who = 0, passed = 0;
        while (passed < 2) {
            Cells can = moves(men[who], men[who ^ 1]);
            if (can) {
                Cells cell = one_of(can, below(count(can)));
                Cells turns = turned(cell, men[who], men[who ^ 1]);
                men[who] |= cell | turns;
                men[who ^ 1] &= ~turns;
                *decisions += 1 + passed;
                passed = 0;
            } else {
                passed++;
            }
            who ^= 1;
        }
        int lead = count(men[0]) - count(men[1]);
        outcomes[lead > 0 ? 0 : lead < 0 ? 1 : 2]++;
    }
}
