// Apple's password rules of sites (github.com/apple/password-manager-resources, MIT),
// as in Firefox ESR 153.8.0 (Mozilla, MPL 2.0; Debian's firefox-esr 153.8.0esr-1~deb12u1),
// of 2025-12-02. Made by packaging/password_rules.py. See SiteRules.

/// The sites from keldoc.com to zoom.us, one in a line: its host, a space, its rules.
enum SiteRulesFromK {
    static let text = ##"""
        keldoc.com minlength: 12; required: lower; required: upper; required: digit; required: [!@#$%^&*];
        kennedy-center.org minlength: 8; required: lower; required: upper; required: digit; required: [!#$%&*?@];
        key.harvard.edu minlength: 10; maxlength: 100; required: lower; required: upper; required: digit; \##
        allowed: [-@_#!&$`%*+()./,;~:{}|?>=<^[']];
        kfc.ca minlength: 6; maxlength: 15; required: lower; required: upper; required: digit; required: \##
        [!@#$%&?*];
        kiehls.com minlength: 8; maxlength: 25; required: lower; required: upper; required: digit; required: \##
        [!#$%&?@];
        kingsfoodmarkets.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: \##
        lower,digit;
        klm.com minlength: 8; maxlength: 12;
        kundenportal.edeka-smart.de minlength: 8; maxlength: 16; required: digit; required: upper, lower; \##
        required: [!"$%&#];
        la-z-boy.com minlength: 6; maxlength: 15; required: lower, upper; required: digit;
        labcorp.com minlength: 8; maxlength: 20; required: upper; required: lower; required: digit; required: \##
        [!@#$%^&*];
        ladwp.com minlength: 8; maxlength: 20; required: digit; allowed: lower, upper;
        launtel.net.au minlength: 8; required: digit; required: digit; allowed: lower, upper;
        leetchi.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!#$%&()*+,./:;<>?@"_];
        lepida.it minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: \##
        digit; required: [-!"#$%&'()*+,.:;<=>?@[^_`{|}~]];
        lg.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; allowed: \##
        [-!#$%&'()*+,.:;=?@[^_{|}~]];
        linearity.io minlength: 8; required: lower; required: upper; required: digit; required: special;
        live.com minlength: 8; required: lower; required: upper; required: digit; allowed: \##
        [-@_#!&$`%*+()./,;~:{}|?>=<^'[]];
        lloydsbank.co.uk minlength: 8; maxlength: 15; required: lower; required: digit; allowed: upper;
        lowes.com minlength: 8; maxlength: 128; max-consecutive: 3; required: lower, upper; required: digit;
        loyalty.accor.com minlength: 8; required: lower; required: upper; required: digit; required: [!#$%&=@];
        lsacsso.b2clogin.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit, \##
        [-!#$%&*?@^_];
        lufthansa.com minlength: 8; maxlength: 32; required: lower; required: upper; required: digit; required: \##
        [!#$%&()*+,./:;<>?@"_];
        lufthansagroup.careers minlength: 12; required: lower; required: upper; required: digit; required: \##
        [!#$%&*?@];
        macys.com minlength: 7; maxlength: 16; allowed: lower, upper, digit, [~!@#$%^&*+`(){}[:;"'<>?]];
        mailbox.org minlength: 8; required: lower; required: upper; required: digit; allowed: \##
        [-!$"%&/()=*+#.,;:@?{}[]];
        makemytrip.com minlength: 8; required: lower; required: upper; required: digit; required: [@$!%*#?&];
        marriott.com minlength: 8; maxlength: 20; required: lower; required: upper; required: digit; allowed: \##
        [$!#&@?%=];
        maybank2u.com.my minlength: 8; maxlength: 12; max-consecutive: 2; required: lower; required: upper; \##
        required: digit; required: [-~!@#$%^&*_+=`|(){}[:;"'<>,.?];
        medicare.gov minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        [@!$%^*()];
        meineschufa.de minlength: 10; required: lower; required: upper; required: digit; required: [!?#%$];
        member.everbridge.net minlength: 8; required: lower, upper; required: digit; allowed: [!@#$%^&*()];
        metlife.com minlength: 6; maxlength: 20;
        microsoft.com minlength: 8; required: lower; required: upper; required: digit; required: special;
        milogin.michigan.gov minlength: 8; required: lower; required: upper; required: digit; required: [@#$!~&];
        minecraft.com minlength: 8; required: lower, upper; required: digit; allowed: ascii-printable;
        mintmobile.com minlength: 8; maxlength: 20; required: lower; required: upper; required: digit; required: \##
        special; allowed: [!#$%&()*+:;=@[^_`{}~]];
        mlb.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit;
        mountainwarehouse.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        allowed: [-@#$%^&*_+={}|\:',?/`~"();.];
        mpv.tickets.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit;
        museumofflight.org minlength: 8; maxlength: 15;
        my.konami.net minlength: 8; maxlength: 32; required: lower; required: upper; required: digit;
        myaccess.dmdc.osd.mil minlength: 9; maxlength: 20; required: lower; required: upper; required: digit; \##
        allowed: [-@_#!&$`%*+()./,;~:{}|?>=<^'[]];
        mybam.bcbsnm.com minlength: 8; maxlength: 64; max-consecutive: 2; required: lower; required: upper; \##
        required: digit; allowed: [!#$%&()*@[^{}~];
        mygoodtogo.com minlength: 8; maxlength: 16; required: lower, upper, digit;
        myhealthrecord.com minlength: 8; maxlength: 20; allowed: lower, upper, digit, [_.!$*=];
        mypatientvisit.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!#$%&*+.;?@^_~];
        mypay.dfas.mil minlength: 9; maxlength: 30; required: lower; required: upper; required: digit; required: \##
        [#@$%^!*+=_];
        mysavings.breadfinancial.com minlength: 8; maxlength: 25; required: lower; required: upper; required: \##
        digit; required: [+_%@!$*~];
        mysedgwick.com minlength: 8; maxlength: 16; allowed: lower; required: upper; required: digit; required: \##
        [@#%^&+=!]; allowed: [-~_$.,;]
        mysubaru.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; allowed: \##
        [!#$%()*+,./:;=?@\^`~];
        naver.com minlength: 6; maxlength: 16;
        nekochat.cn minlength: 8; maxlength: 15; required: lower; required: upper; required: digit;
        nelnet.net minlength: 8; maxlength: 15; required: lower; required: upper; required: digit, [!@#$&*];
        netflix.com minlength: 4; maxlength: 60; required: lower, upper, digit; allowed: special;
        netgear.com minlength: 6; maxlength: 128; allowed: lower, upper, digit, [!@#$%^&*()];
        nowinstock.net minlength: 6; maxlength: 20; allowed: lower, upper, digit;
        order.wendys.com minlength: 6; maxlength: 20; required: lower; required: upper; required: digit; allowed: \##
        [!#$%&()*+/=?^_{}];
        ototoy.jp minlength: 8; allowed: upper,lower,digit,[- .=_];
        packageconciergeadmin.com minlength: 4; maxlength: 4; allowed: digit;
        parkmobile.io minlength: 8; maxlength: 25; required: lower; required: upper; required: digit; required: \##
        [!@#$%^&];
        pavilions.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        paypal.com minlength: 8; maxlength: 20; max-consecutive: 3; required: lower, upper; required: digit, \##
        [!@#$%^&*()];
        payvgm.youraccountadvantage.com minlength: 8; required: lower; required: upper; required: digit; \##
        required: special;
        pilotflyingj.com minlength: 7; required: digit; allowed: lower, upper;
        pixnet.cc minlength: 4; maxlength: 16; allowed: lower, upper;
        planetary.org minlength: 5; maxlength: 20; required: lower; required: upper; required: digit; allowed: \##
        ascii-printable;
        plazapremiumlounge.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; \##
        allowed: [!#$%&*,@^];
        portal.edd.ca.gov minlength: 8; required: lower; required: upper; required: digit; required: [!#$%&()*@^];
        portals.emblemhealth.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!#$%&'()*+,./:;<>?@\^_`{|}~[]];
        portlandgeneral.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        allowed: [!#$%&*?@];
        poste.it minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: \##
        digit; required: special;
        posteo.de minlength: 8; required: lower; required: upper; required: digit, [-~!#$%&_+=|(){}[:;"<>,.? ]];
        powells.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        ["!@#$%^&*(){}[]];
        preferredhotels.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!#$%&()*+@^_];
        premier.ticketek.com.au minlength: 6; maxlength: 16;
        premierinn.com minlength: 8; required: upper; required: digit; allowed: lower;
        prepaid.bankofamerica.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        required: [!@#$%^&*()+~{}'";:<>?];
        prestocard.ca minlength: 8; required: lower; required: upper; required: digit,[!"#$%&'()*+,<>?@];
        pret.com minlength: 12; required: lower; required: digit; required: [@$!%*#?&]; allowed: upper;
        promozoneapp.nmlottery.com minlength: 6; maxlength: 16; required: lower; required: upper; required: \##
        digit; allowed: special;
        propelfuels.com minlength: 6; maxlength: 16;
        publix.com minlength: 8; maxlength: 28; required: upper; required: lower; allowed: digit,[!#$%*@^];
        qdosstatusreview.com minlength: 8; required: lower; required: upper; required: digit; required: [!#$%&@^];
        questdiagnostics.com minlength: 8; maxlength: 30; required: upper, lower; required: digit, \##
        [!#$%&()*+<>?@^_~];
        randalls.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        rejsekort.dk minlength: 7; maxlength: 15; required: lower; required: upper; required: digit;
        renaud-bray.com minlength: 8; maxlength: 38; allowed: upper,lower,digit;
        ring.com minlength: 8; required: lower; required: upper; required: digit; required: [!@#$%^&*<>?];
        riteaid.com minlength: 8; maxlength: 15; required: lower; required: upper; required: digit;
        robinhood.com minlength: 10;
        rogers.com minlength: 8; required: lower, upper; required: digit; required: [!@#$];
        ruc.dk minlength: 6; maxlength: 8; required: lower, upper; required: [-!#%&(){}*+;%/<=>?_];
        runescape.com minlength: 5; maxlength: 20; required: lower; required: upper; required: digit;
        ruten.com.tw minlength: 6; maxlength: 15; required: lower, upper;
        safeway.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        salslimo.com minlength: 8; maxlength: 50; required: upper; required: lower; required: digit; required: \##
        [!@#$&*];
        santahelenasaude.com.br minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; \##
        required: [-!@#$%&*_+=<>];
        santander.de minlength: 8; maxlength: 12; required: lower, upper; required: digit; allowed: \##
        [-!#$%&'()*,.:;=?^{}];
        savemart.com minlength: 8; maxlength: 12; required: digit; required: upper,lower; required: [!#$%&@]; \##
        allowed: ascii-printable;
        sbisec.co.jp minlength: 10; maxlength: 20; allowed: upper,lower,digit;
        secure-arborfcu.org minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; \##
        required: [!#$%&'()+,.:?@[_`~]];
        secure.orclinic.com minlength: 6; maxlength: 15; required: lower; required: digit; allowed: \##
        ascii-printable;
        secure.snnow.ca minlength: 7; maxlength: 16; required: digit; allowed: lower, upper;
        secure.wa.aaa.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        allowed: ascii-printable;
        sephora.com minlength: 6; maxlength: 12;
        serviziconsolari.esteri.it minlength: 8; maxlength: 16; required: lower; required: upper; required: \##
        digit; required: special;
        servizioelettriconazionale.it minlength: 8; maxlength: 20; required: lower; required: upper; required: \##
        digit; required: [!#$%&*?@^_~];
        sfwater.org minlength: 10; maxlength: 30; required: digit; allowed: lower, upper, [!@#$%*()_+^}{:;?.];
        shaws.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        signin.ea.com minlength: 8; maxlength: 64; required: lower, upper; required: digit; allowed: \##
        [-!@#^&*=+;:];
        sjwaterhub.com minlength: 8; maxlength: 30; required: digit, lower, upper; allowed: [!#%&*.];
        southwest.com minlength: 8; maxlength: 16; required: upper; required: digit; allowed: lower, \##
        [!@#$%^*(),.;:/\];
        speedway.com minlength: 4; maxlength: 8; required: digit;
        spirit.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        [!@#$%^&*()];
        splunk.com minlength: 8; maxlength: 64; required: lower; required: upper; required: digit; required: \##
        [-!@#$%&*_+=<>];
        ssa.gov required: lower; required: upper; required: digit; required: [~!@#$%^&*];
        starmarket.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        store.nintendo.co.uk minlength: 8; maxlength: 20;
        store.nvidia.com minlength: 8; maxlength: 32; required: lower; required: upper; required: digit; \##
        required: [-!@#$%^*~:;&><[{}|_+=?]];
        store.steampowered.com minlength: 6; required: lower; required: upper; required: digit; allowed: \##
        [~!@#$%^&*];
        subscribe.free.fr minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        required: [!#&()*+/@[_]];
        successfactors.eu minlength: 8; maxlength: 18; required: lower; required: upper; required: \##
        digit,[-!"#$%&'()*+,.:;<=>?@[^_`{|}~]];
        sulamericaseguros.com.br minlength: 6; maxlength: 6;
        sunlife.com minlength: 8; maxlength: 10; required: digit; required: lower, upper;
        t-mobile.net minlength: 8; maxlength: 16;
        target.com minlength: 8; maxlength: 20; required: lower, upper; required: digit, \##
        [-!"#$%&'()*+,./:;=?@[\^_`{|}~];
        tdscpc.gov.in minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; required: [ \##
        &',;"];
        telekom-dienste.de minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        required: [#$%&()*+,./<=>?@_{|}~];
        thameswater.co.uk minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        required: special;
        themovingportal.co.uk minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; \##
        allowed: [-@#$%^&*_+={}|\:',?/'~" ();.[]];
        ticketweb.com minlength: 12; maxlength: 15;
        tix.soundrink.com minlength: 6; maxlength: 16;
        tomthumb.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        training.confluent.io minlength: 6; maxlength: 16; required: lower; required: upper; required: digit; \##
        allowed: [!#$%*@^_~];
        treasurer.mo.gov minlength: 8; maxlength: 26; required: lower; required: upper; required: digit; \##
        required: [!#$&];
        truist.com minlength: 8; maxlength: 28; max-consecutive: 2; required: lower; required: upper; required: \##
        digit; required: [!#$%()*,:;=@_];
        turkishairlines.com minlength: 6; maxlength: 6; required: digit; max-consecutive: 3;
        twitch.tv minlength: 8; maxlength: 71;
        twitter.com minlength: 8;
        ubisoft.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        [-]; required: [!@#$%^&*()+];
        udel.edu minlength: 12; maxlength: 30; required: lower; required: upper; required: digit; required: \##
        [!@#$%^&*()+];
        umterps.evenue.net minlength: 14; required: digit; required: upper; required: lower; required: \##
        [-~!@#$%^&*_+=`|(){}:;];
        unito.it minlength: 8; required: upper; required: lower; required: digit; required: \##
        [-!?+*/:;'"{}()@$%&=^#[]];
        user.ornl.gov minlength: 8; maxlength: 30; max-consecutive: 3; required: lower, upper; required: digit; \##
        allowed: [!#$%./_];
        usps.com minlength: 8; maxlength: 50; max-consecutive: 2; required: lower; required: upper; required: \##
        digit; allowed: [-!"#&'()+,./?@];
        vanguard.com minlength: 6; maxlength: 20; required: lower; required: upper; required: digit; required: \##
        digit;
        vanguardinvestor.co.uk minlength: 8; maxlength: 50; required: lower; required: upper; required: digit; \##
        required: digit;
        ventrachicago.com minlength: 8; required: lower; required: upper; required: digit, [!@#$%^];
        verizonwireless.com minlength: 8; maxlength: 20; required: lower, upper; required: digit; allowed: \##
        unicode;
        vetsfirstchoice.com minlength: 8; required: lower; required: upper; required: digit; allowed: [?!@$%^+=&];
        vince.com minlength: 8; required: digit; required: lower; required: upper; required: \##
        [$%/(){}=?!.,_*|+~#[]];
        virginmobile.ca minlength: 8; required: lower; required: upper; required: digit; required: [!#$@];
        visa.com minlength: 6; maxlength: 32;
        visabenefits-auth.axa-assistance.us minlength: 8; required: lower; required: upper; required: digit; \##
        required: [!"#$%&()*,.:<>?@^{|}];
        vivo.com.br maxlength: 6; max-consecutive: 3; allowed: digit;
        volaris.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: \##
        special;
        vons.com minlength: 8; maxlength: 40; required: upper; required: [!#$%&*@^]; allowed: lower,digit;
        wa.aaa.com minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; allowed: \##
        ascii-printable;
        walkhighlands.co.uk minlength: 9; maxlength: 15; required: lower; required: upper; required: digit; \##
        allowed: special;
        walmart.com allowed: lower, upper, digit, [-(~!@#$%^&*_+=`|(){}[:;"'<>,.?]];
        waze.com minlength: 8; maxlength: 64; required: lower, upper, digit;
        wccls.org minlength: 4; maxlength: 16; allowed: lower, upper, digit;
        web.de minlength: 8; maxlength: 40; allowed: lower, upper, digit, [-<=>~!|()@#{}$%,.?^'&*_+`:;"[]];
        wegmans.com minlength: 8; required: digit; required: upper,lower; required: [!#$%&*+=?@^];
        weibo.com minlength: 6; maxlength: 16;
        wellsfargo.com minlength: 8; maxlength: 32; required: lower; required: upper; required: digit;
        wmata.com minlength: 8; required: lower, upper; required: digit; required: digit; required: \##
        [-!@#$%^&*~/"()_=+\|,.?[]];
        worldstrides.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [-!#$%&*+=?@^_~];
        wsj.com minlength: 5; maxlength: 15; required: digit; allowed: lower, upper, \##
        [-~!@#$^*_=`|(){}[:;"'<>,.?]];
        xfinity.com minlength: 8; maxlength: 16; required: lower, upper; required: digit;
        xvoucher.com minlength: 11; required: upper; required: digit; required: [!@#$%&_];
        yatra.com minlength: 8; required: lower; required: upper; required: digit; required: \##
        [!#$%&'()+,.:?@[_`~]];
        yeti.com minlength: 8; required: lower; required: upper; required: digit; required: [#$%*];
        zara.com minlength: 8; required: lower; required: upper; required: digit;
        zdf.de minlength: 8; required: upper; required: digit; allowed: lower, special;
        zoom.us minlength: 8; maxlength: 32; max-consecutive: 6; required: lower; required: upper; required: \##
        digit;
        """##
}
