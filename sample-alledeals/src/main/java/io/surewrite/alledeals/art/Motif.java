package io.surewrite.alledeals.art;

/** What a picture shows, on a canvas of 400 × 300. */
enum Motif {
    /** Quarter circles, discs and leaves, laid like tiles. */
    TILES {
        @Override
        void draw(Brush brush) {
            for (int x = 0; x < 400; x += 100) {
                for (int y = 0; y < 300; y += 100) {
                    tile(brush, x, y);
                }
            }
        }

        private void tile(Brush brush, int x, int y) {
            int ink = brush.between(0, 3);
            brush.rect(x, y, 100, 100, 0, brush.oneIn(3) ? brush.ground() : brush.ink(ink));
            String colour = brush.oneIn(4) ? brush.ground() : brush.ink(ink + brush.between(1, 3));
            switch (brush.between(0, 6)) {
                case 0 -> brush.path(colour, "M%d %dh100a100 100 0 0 1-100 100z", x, y);
                case 1 -> brush.path(colour, "M%d %dv-100a100 100 0 0 1 100 100z", x, y + 100);
                case 2 -> brush.path(colour, "M%d %dh-100a100 100 0 0 1 100-100z", x + 100, y + 100);
                case 3 -> brush.path(colour, "M%d %dv100a100 100 0 0 1-100-100z", x + 100, y);
                case 4 -> brush.circle(x + 50, y + 50, 34, colour);
                case 5 -> brush.path(colour, "M%d %da100 100 0 0 1 100 100a100 100 0 0 1-100-100z", x, y);
                default -> brush.path(colour, "M%d %da50 50 0 0 1 100 0z", x, y + 75);
            }
        }
    },

    /** A sun over three ridges. */
    HILLS {
        @Override
        void draw(Brush brush) {
            int first = brush.between(0, 3);
            brush.circle(brush.between(90, 310), brush.between(80, 130), brush.between(38, 64), brush.ink(first));
            for (int ridge = 0; ridge < 3; ridge++) {
                int y = 150 + 45 * ridge;
                brush.path(
                        brush.ink(first + 1 + ridge),
                        "M0 %d C %d %d %d %d 400 %d V300 H0z",
                        y + brush.between(-25, 25),
                        brush.between(60, 160),
                        y - brush.between(20, 90),
                        brush.between(220, 330),
                        y + brush.between(10, 80),
                        y + brush.between(-40, 15));
            }
        }
    },

    /** Two rainbows that meet. */
    ARCS {
        @Override
        void draw(Brush brush) {
            int meet = brush.between(150, 250);
            rainbow(brush, meet - 150, brush.between(150, 190));
            rainbow(brush, meet + 150, brush.between(120, 190));
            brush.rect(0, 250, 400, 50, 0, brush.ink());
        }

        private void rainbow(Brush brush, int x, int radius) {
            int first = brush.between(0, 3);
            for (int band = 0; band < 4; band++) {
                int r = radius - band * 36;
                String colour = band == 3 ? brush.ground() : brush.ink(first + band);
                brush.path(colour, "M%d 250a%d %d 0 0 1 %d 0z", x - r, r, r, 2 * r);
            }
        }
    },

    /** Vessels and blocks on a table. */
    STILL_LIFE {
        @Override
        void draw(Brush brush) {
            int table = brush.between(205, 235);
            int first = brush.between(0, 3);
            brush.circle(
                    brush.between(120, 280), table - brush.between(60, 90), brush.between(70, 95), brush.ink(first));
            brush.rect(0, table, 400, 300 - table, 0, brush.ink(first + 1));
            for (int place = 0; place < 4; place++) {
                thing(brush, 62 + 92 * place + brush.between(-8, 8), table + 22, brush.ink(first + 2 + place));
            }
        }

        private void thing(Brush brush, int x, int foot, String colour) {
            int height = brush.between(60, 130);
            switch (brush.between(0, 4)) {
                case 0 -> brush.rect(x - 24, foot - height, 48, height, 6, colour);
                case 1 -> { // a bottle
                    brush.rect(x - 26, foot - 70, 52, 70, 16, colour);
                    brush.rect(x - 9, foot - height, 18, height, 5, colour);
                }
                case 2 -> { // a bowl
                    brush.path(colour, "M%d %da44 44 0 0 0 88 0z", x - 44, foot - 44);
                    brush.rect(x - 16, foot - 6, 32, 6, 0, colour);
                }
                case 3 -> brush.path(colour, "M%d %dh60l-30-%dz", x - 30, foot, height);
                default -> brush.circle(x, foot - 30, 30, colour);
            }
        }
    },

    /** A disc and its rings, cut by stripes. */
    ECLIPSE {
        @Override
        void draw(Brush brush) {
            int first = brush.between(0, 3);
            int x = brush.between(130, 270);
            brush.rect(0, 0, brush.between(90, 310), 300, 0, brush.ink(first + 1));
            brush.circle(x, 150, 110, brush.ink(first));
            brush.circle(x + brush.between(-45, 45), 150, 74, brush.ink(first + 2));
            brush.ring(x, 150, 128, 6, brush.ink(first + 3));
            for (int y = 190; y < 270; y += 24) {
                brush.rect(0, y, 400, 9, 0, brush.ground());
            }
        }
    },

    /** Leaves, side by side, some on a shorter stem. */
    LEAVES {
        @Override
        void draw(Brush brush) {
            int first = brush.between(0, 3);
            int leaves = brush.between(3, 6);
            int width = 400 / leaves;
            for (int leaf = 0; leaf < leaves; leaf++) {
                int x = width / 2 + width * leaf;
                int tip = brush.between(20, 130);
                int foot = brush.between(230, 300);
                int middle = (tip + foot) / 2;
                brush.rect(x - 2, middle, 4, 300 - middle, 0, brush.ink(first + leaf));
                brush.path(
                        brush.ink(first + leaf),
                        "M%d %dQ%d %d %d %dQ%d %d %d %dz",
                        x,
                        tip,
                        x + width,
                        middle,
                        x,
                        foot,
                        x - width,
                        middle,
                        x,
                        tip);
                brush.rect(x - 2, tip + 40, 4, foot - tip - 40, 2, brush.ground());
            }
        }
    },

    /** Rows of scales, as on a roof or a fish. */
    SCALES {
        @Override
        void draw(Brush brush) {
            int first = brush.between(0, 3);
            for (int row = 0; row < 7; row++) {
                int y = 300 - 50 * row;
                for (int x = row % 2 == 0 ? 0 : -50; x < 450; x += 100) {
                    brush.circle(x + 50, y, 54, brush.ground());
                    brush.circle(x + 50, y, 49, brush.oneIn(5) ? brush.ink() : brush.ink(first + row));
                    brush.circle(x + 50, y, 20, brush.ground());
                }
            }
        }
    },

    /** Squares of four triangles, as on a blanket. */
    QUILT {
        @Override
        void draw(Brush brush) {
            for (int x = 0; x < 400; x += 100) {
                for (int y = 0; y < 300; y += 100) {
                    int first = brush.between(0, 3);
                    brush.path(brush.ink(first), "M%d %dh100l-50 50z", x, y);
                    brush.path(brush.ink(first + 1), "M%d %dl50 50l-50 50z", x, y);
                    brush.path(brush.ink(first + brush.between(0, 1)), "M%d %dh100l-50-50z", x, y + 100);
                    if (brush.oneIn(3)) {
                        brush.circle(x + 50, y + 50, 22, brush.ground());
                    }
                }
            }
        }
    };

    abstract void draw(Brush brush);
}
